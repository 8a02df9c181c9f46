#!/bin/bash
# What must hold in the working directory after `reissue publish … --out R2.csv --holder-copy H2.csv`,
# the second release of a changing table, has died at any moment: all files of a release are there or
# none, and the series goes on with the table after that, keeps its promise, and every certificate
# holds.
#
#   check_changing.sh REISSUE TABLE_DIRECTORY
set -u
program=$1 table=$2
here=$(dirname "$0")
list="'$program' history --vault vault"
# A value is too frequent in it: refused (1), once the vault is open.
recover="'$program' publish --no-passphrase --vault vault '$table/uneven.csv' --out R9.csv; [ \$? = 1 ]"
again="'$program' publish --no-passphrase --vault vault '$table/third.csv' --out R3.csv --holder-copy H3.csv"

[ -e R1.csv ] || { echo "R1.csv is gone"; exit 1; }
# The release is what readers go by: where it is not, nothing of it is. The rest follows it.
if [ ! -e R2.csv ]; then
  for file in R2.csv.sensitive.csv R2.csv.counterfeits.csv R2.csv.certificate.json H2.csv; do
    [ ! -e "$file" ] || { echo "$file without R2.csv"; exit 1; }
  done
fi
# What has no name yet is for its owner alone.
for file in .*.tmp; do
  [ ! -e "$file" ] || [ -e R2.csv ] || [ "$(stat -c %a "$file")" = 600 ] ||
    { echo "$file can be read by others"; exit 1; }
done
"$here/check_release.sh" vault "R1.csv R2.csv" "$list" "$recover" "$again" R3.csv || exit 1
copies=()
holder=()
for n in 1 2 3; do
  for file in R$n.csv.sensitive.csv R$n.csv.counterfeits.csv R$n.csv.certificate.json H$n.csv; do
    if [ -e R$n.csv ]; then
      [ -e "$file" ] || { echo "R$n.csv without $file"; exit 1; }
    else
      [ ! -e "$file" ] || { echo "$file without R$n.csv"; exit 1; }
    fi
  done
  [ -e R$n.csv ] || continue
  [ "$(stat -c %a H$n.csv)" = 600 ] || { echo "H$n.csv can be read by others"; exit 1; }
  copies+=(H$n.csv)
  holder+=(--holder-copy H$n.csv)
  { "$program" verify R$n.csv.certificate.json R$n.csv "${holder[@]}" >verified; [ $? = 5 ]; } ||
    { echo "R$n.csv does not verify:"; cat verified; exit 1; }
done
"$program" audit --policy "$table/policy.toml" "${copies[@]}" >audited ||
  { echo "the series does not keep its promise:"; cat audited; exit 1; }
