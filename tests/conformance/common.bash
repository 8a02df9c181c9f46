# What `run` and `check_killed` share; to be sourced. Release N of a case is published as RN.csv,
# with HN.csv as the holder's copy, into the vault `vault` of the working directory.

# load_case DIRECTORY: what the case says, and what holds where it says nothing.
load_case() {
  case_directory=$1
  SECOND='' SECOND_SAYS='' TAKES=() BESIDE=()
  AUDIT_READS=releases PROMISES=(promises promise measured kept) MEASURED_OF=series AGREE=()
  VERDICT=HOLDS VERIFIED=0
  KNOWS='' EXPLAIN='' BAD_STATUS='' MISSPELT='' NEAREST='' TOO_MUCH='' GROUPED_BY='' AT_LEAST='' ORDER=''
  # shellcheck source=/dev/null
  source "$case_directory/case"
  priors=()
  if takes prior; then priors=(--prior "$case_directory/prior.csv"); fi
}

takes() { [[ " ${TAKES[*]} " == *" $1 "* ]]; }

# publication N TABLE [known]: the arguments that publish it, in the array `arguments`; without the
# policy where the vault knows it.
publication() {
  arguments=(publish --no-passphrase --seed 7 --vault vault "$case_directory/$2" --out "R$1.csv"
             "${priors[@]}")
  if [[ ${3-} != known ]]; then arguments+=(--policy "$case_directory/policy.toml"); fi
  if takes holder-copy; then arguments+=(--holder-copy "H$1.csv"); fi
}

# verification N…: the arguments that verify the certificate of the last of these releases, which
# are all that there are up to it; in the array `arguments`.
verification() {
  local n
  # shellcheck disable=SC2154
  arguments=(verify "R${!#}.csv.certificate.json" --key "$("$program" key show vault --no-passphrase)")
  for n in "$@"; do arguments+=("R$n.csv"); done
  arguments+=("${priors[@]}")
  takes verify-copy || return 0
  for n in "$@"; do arguments+=(--holder-copy "H$n.csv"); done
}

# files_of N: the names of all files of a release, one per line.
files_of() {
  local suffix
  for suffix in '' .certificate.json "${BESIDE[@]}"; do echo "R$1.csv$suffix"; done
  if takes holder-copy; then echo "H$1.csv"; fi
}
