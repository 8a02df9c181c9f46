#!/usr/bin/env bash
# Runs `publish` or `audit` of a case of tests/conformance again and again, and lets memory run out
# one request later than before. It must end with a status and words of its own, never by a signal;
# a publication has happened with everything that belongs to it, or not at all, and the next one
# comes to be.
#
#   fail_each_alloc.sh LIBRARY PROGRAM MODEL publish|audit [EVERY [THREADS]]
#
# LIBRARY   the built fail_alloc.so
# EVERY     only each EVERY-th request; default 1: all of them
set -uo pipefail
library=$1 program=$2 model=$3 verb=$4 every=${5:-1} threads=${6:-2}
here=$(cd "$(dirname "$0")" && pwd -P)
source "$here/../conformance/common.bash"
load_case "$here/../conformance/$model"
export LC_ALL=C
base=${CRASH_DIR:-/dev/shm}
[ -w "$base" ] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/reissue-memory-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

mkdir "$work/whole" && cd "$work/whole" || exit 1
publication 1 first.csv
command=("${arguments[@]}")
if [ "$verb" = audit ]; then
  "$program" "${arguments[@]}" >/dev/null || { echo "the setup failed"; exit 1; }
  file=$PWD/R1.csv
  if [ "$AUDIT_READS" = copies ]; then file=$PWD/H1.csv; fi
  command=(audit --policy "$case_directory/policy.toml" "${priors[@]}" "$file")
fi
command+=(--threads "$threads")

run() {  # NAME=VALUE…: the command; its exit code in $outcome
  (exec timeout 60 env LD_PRELOAD="$library" "$@" "$program" "${command[@]}") \
    >"$work/out" 2>"$work/err"
  outcome=$?
}

run COUNT_FILE="$work/count"
[ "$outcome" = 0 ] || { echo "the command fails even unharmed:"; cat "$work/err"; exit 1; }
total=$(cat "$work/count")
[ "${total:-0}" -gt 0 ] || { echo "no requests were counted: is the library loaded?"; exit 1; }

# What is wrong after a run, if anything.
judge() {
  case $outcome in
    0 | 1) ;;
    3 | 4) [ -s "$work/err" ] || { echo "exit $outcome without a word"; return; } ;;
    124) echo "it hangs" && return ;;
    *) echo "exit $outcome: $(head -c 300 "$work/err")" && return ;;
  esac
  [ "$verb" = publish ] && [ -n "$(ls -A)" ] || return 0
  OUTCOME=$outcome "$here/../conformance/check_killed" "$program" "$case_directory" 2>&1
}

failures=0 harmed=0
for ((n = 1; n <= total; n += every)); do
  mkdir "$work/$n" && cd "$work/$n" || exit 1
  run FAIL_AT="$n" 2>/dev/null
  [ "$outcome" != 0 ] && harmed=$((harmed + 1))
  wrong=$(judge)
  if [ -n "$wrong" ]; then
    echo "$model $verb, request $n of $total: $wrong"
    failures=$((failures + 1))
  fi
  cd "$work" && rm -rf "${work:?}/$n"
done
echo "$model $verb: $total requests, $harmed runs harmed, $failures failures"
[ "$failures" = 0 ] && [ "$harmed" -gt 0 ]
