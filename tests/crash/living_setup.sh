#!/bin/bash
# A series with one release in the working directory, whose policy was changed since: a new job,
# another title. The policy as it was lies in old/.
#
#   living_setup.sh REISSUE TABLE_DIRECTORY
set -u
program=$1 table=$2
cp -r "$table" now && cp -r now old || exit 1
"$program" publish --no-passphrase --vault vault --policy now/policy.toml now/first.csv --out R1.csv >log || exit 1
echo 'Midwife;Care;*' >>now/job.csv
sed -i 's/^title = .*/title = "Goes on"/' now/policy.toml
for file in second third; do
  for i in 1 2 3 4; do echo "M0$i,42,Midwife,flu,m"; done >>now/$file.csv
done
