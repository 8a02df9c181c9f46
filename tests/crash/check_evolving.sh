#!/bin/bash
# What must hold in the working directory after `reissue publish … --out R2.csv --holder-copy H2.csv`,
# the second release of an evolving table, has died at any moment: all files of a release are there
# or none, the series goes on with the table after that, every certificate holds, and the vault says
# of the series what the holder's copies say.
#
#   check_evolving.sh REISSUE TABLE_DIRECTORY
set -u
program=$1 table=$2
here=$(dirname "$0")
list="'$program' history --vault vault"
# Too few people for a group: refused (1), once the vault is open.
recover="'$program' publish --no-passphrase --vault vault '$table/few.csv' --out R9.csv; [ \$? = 1 ]"
again="'$program' publish --no-passphrase --vault vault '$table/third.csv' --out R3.csv --holder-copy H3.csv"

[ -e R1.csv ] || { echo "R1.csv is gone"; exit 1; }
[ -e R2.csv ] || [ ! -e H2.csv ] || { echo "H2.csv without R2.csv"; exit 1; }
"$here/check_release.sh" vault "R1.csv R2.csv" "$list" "$recover" "$again" R3.csv || exit 1
copies=()
for n in 1 2 3; do
  for file in R$n.csv.certificate.json H$n.csv; do
    if [ -e R$n.csv ]; then
      [ -e "$file" ] || { echo "R$n.csv without $file"; exit 1; }
    else
      [ ! -e "$file" ] || { echo "$file without R$n.csv"; exit 1; }
    fi
  done
  [ -e R$n.csv ] || continue
  [ "$(stat -c %a H$n.csv)" = 600 ] || { echo "H$n.csv can be read by others"; exit 1; }
  copies+=(H$n.csv)
  { "$program" verify R$n.csv.certificate.json R$n.csv >verified; [ $? = 5 ]; } ||
    { echo "R$n.csv does not verify:"; cat verified; exit 1; }
done
"$program" audit --policy "$table/policy.toml" "${copies[@]}" >audited ||
  { echo "the series does not keep its promise:"; cat audited; exit 1; }
"$program" audit --no-passphrase --vault vault >kept ||
  { echo "the series does not keep its promise, the vault says:"; cat kept; exit 1; }
# Without the names of files and people.
diff <(sed '1,/^Promises/d; /^Who is exposed/,$d' audited) \
     <(sed '1,/^Promises/d; /^Who is exposed/,$d' kept) ||
  { echo "vault and holder's copies do not say the same"; exit 1; }
