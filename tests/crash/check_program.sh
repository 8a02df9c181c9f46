#!/bin/bash
# What must hold in the working directory after `reissue publish … --out R1.csv` has died at any
# moment: file and vault agree, and the next publication comes to be if and only if the first did
# not (model k publishes once), leaving nothing behind.
#
#   check_program.sh REISSUE TABLE_DIRECTORY
set -u
program=$1 table=$2
here=$(dirname "$0")
list="'$program' history --vault vault"
publish="'$program' publish --no-passphrase --vault vault --policy '$table/policy.toml' '$table/table.csv' --out R2.csv"

# Refused (1) where R1 exists: that opens the vault as well.
"$here/check_release.sh" vault R1.csv "$list" "$publish || [ \$? = 1 ]" || exit 1
if [ ! -e R1.csv ] && [ ! -e R2.csv ]; then  # it died before there was a vault
  said=$(eval "$publish" 2>&1) || { echo "the next publication failed: $said"; exit 1; }
fi
if [ -e R1.csv ] && [ -e R2.csv ]; then echo "a second release came to be"; exit 1; fi
for release in R1.csv R2.csv; do
  if [ -e "$release" ]; then
    { "$program" verify "$release.certificate.json" "$release" >verified; [ $? = 5 ]; } ||
      { echo "$release does not verify:"; cat verified; exit 1; }
  elif [ -e "$release.certificate.json" ]; then
    echo "a certificate without $release"
    exit 1
  fi
done
OUTCOME='' "$here/check_release.sh" vault "R1.csv R2.csv" "$list" :
