#!/bin/bash
# What must hold in the working directory after `reissue publish … --out R2.csv`, the second release
# of a growing table, has died at any moment: file and vault agree, R1 is as it was, and the series
# goes on with the table after that, keeps its promise, and every certificate holds.
#
#   check_series.sh REISSUE TABLE_DIRECTORY
set -u
program=$1 table=$2
here=$(dirname "$0")
list="'$program' history --vault vault"
# People are missing in it: refused (3), once the vault is open.
recover="'$program' publish --no-passphrase --vault vault '$table/fewer.csv' --out R9.csv; [ \$? = 3 ]"
again="'$program' publish --no-passphrase --vault vault '$table/third.csv' --out R3.csv"

[ -e R1.csv ] || { echo "R1.csv is gone"; exit 1; }
"$here/check_release.sh" vault "R1.csv R2.csv" "$list" "$recover" "$again" R3.csv || exit 1
releases=()
for release in R1.csv R2.csv R3.csv; do
  if [ ! -e "$release" ]; then
    [ ! -e "$release.certificate.json" ] || { echo "a certificate without $release"; exit 1; }
    continue
  fi
  releases+=("$release")
  { "$program" verify "$release.certificate.json" "${releases[@]}" >verified; [ $? = 5 ]; } ||
    { echo "$release does not verify:"; cat verified; exit 1; }
done
