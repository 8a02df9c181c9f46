#!/bin/bash
# What must hold in the working directory (living_setup.sh) after `reissue publish … --out R2.csv`,
# the first release under a changed policy, has died at any moment: files and vault agree; the vault
# has the change if and only if it has the release; and the series goes on.
#
#   check_living.sh REISSUE
set -u
program=$1
here=$(dirname "$0")
fail() { echo "$1"; exit 1; }
list="'$program' history --vault vault"
# Numbers of the releases that brought another policy.
changed() { "$program" history --vault vault | sed -n 's/^ *\([0-9]*\) .*(policy changed)$/\1/p'; }
# People are missing in it: refused (3), once the vault is open.
recover="'$program' publish --no-passphrase --vault vault now/fewer.csv --out R9.csv; [ \$? = 3 ]"

[ -e R1.csv ] || fail "R1.csv is gone"
"$here/check_release.sh" vault "R1.csv R2.csv" "$list" "$recover" || exit 1
"$program" vault check vault --no-passphrase >log 2>&1 || fail "the vault is not sound: $(cat log)"
# The old policy is that of the series, or has become one that lacks a value.
"$program" publish --dry-run --no-passphrase --vault vault --policy old/policy.toml old/third.csv --out R8.csv >log 2>&1
status=$?
if [ -e R2.csv ]; then
  [ "$(changed)" = 2 ] || fail "the vault has R2.csv without its policy: $(changed)"
  [ "$status" = 3 ] && grep -q '"Midwife" is gone' log || fail "R2.csv, and the old policy is that of the vault: $(cat log)"
else
  [ -z "$(changed)" ] || fail "no R2.csv, and the vault has its policy: $(changed)"
  [ "$status" = 0 ] || fail "no R2.csv, and the old policy is refused: $(cat log)"
  grep -qi 'policy was changed' log && fail "no R2.csv, and the old policy is new to the vault"
fi
# On it goes under the changed one; the release under which it is new is the second, either way.
unset OUTCOME
again="'$program' publish --no-passphrase --vault vault --policy now/policy.toml now/third.csv --out R3.csv"
"$here/check_release.sh" vault "R1.csv R2.csv" "$list" : "$again" R3.csv || exit 1
[ "$(changed)" = 2 ] || fail "the change is not recorded with the second release: $(changed)"
releases=()
for release in R1.csv R2.csv R3.csv; do
  if [ ! -e "$release" ]; then
    [ ! -e "$release.certificate.json" ] || fail "a certificate without $release"
    continue
  fi
  releases+=("$release")
  [ "$release" = R1.csv ] && continue
  grep -q '"policy_since": 2' "$release.certificate.json" ||
    fail "$release does not say that its policy is in force since release 2"
  { "$program" verify "$release.certificate.json" "${releases[@]}" >verified; [ $? = 5 ]; } ||
    fail "$release does not verify: $(cat verified)"
done
