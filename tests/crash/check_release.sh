#!/bin/bash
# What must hold in the working directory after a publication has died at any moment.
#
#   check_release.sh VAULT TARGET LIST RECOVER [AGAIN NEXT]
#
# VAULT     directory of the vault
# TARGET    file name of the release, or several, separated by blanks
# LIST      shell command that prints the releases the vault knows, without writing
# RECOVER   shell command that opens the vault for writing (may do more)
# AGAIN     shell command that publishes to NEXT; must succeed
# OUTCOME   (variable) how the publication ended; 0 means that TARGET must be there
set -u
shopt -s nullglob dotglob
vault=$1 targets=$2 list=$3 recover=$4 again=${5:-} next=${6:-}

fail() {
  echo "$1"
  ls -la . "$vault" 2>/dev/null
  exit 1
}

# A release exists if and only if the vault knows it.
agree() {
  local known=
  if [ -e "$vault/vault.db" ]; then
    known=$(eval "$list" 2>&1) || fail "$1: the vault cannot be listed: $known"
  fi
  for target in $targets; do
    if [ -e "$target" ]; then
      [[ $known == *"/$target"* ]] || fail "$1: $target exists, and the vault does not know it"
    else
      [[ $known != *"/$target"* ]] || fail "$1: $target is in the vault, and does not exist"
    fi
  done
}

no_temporaries() {
  local left=(*.tmp "$vault"/*.new "$vault"/*.new-*)
  [ "${#left[@]}" = 0 ] || fail "$1: left behind: ${left[*]}"
}

agree "before recovery"
if [ "${OUTCOME:-}" = 0 ]; then
  for target in $targets; do [ -e "$target" ] || fail "success was reported without $target"; done
fi
if [ -e "$vault/vault.db" ]; then
  said=$(eval "$recover" 2>&1) || fail "the vault cannot be opened: $said"
  agree "after recovery"
  no_temporaries "after recovery"
fi
if [ -n "$again" ]; then
  said=$(eval "$again" 2>&1) || fail "the next publication fails: $said"
  targets="$targets $next"
  [ -e "$next" ] || fail "the next publication made nothing"
  agree "after the next publication"
  no_temporaries "after the next publication"
fi
