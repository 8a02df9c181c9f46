#!/bin/bash
# Runs a command again and again, each time in a fresh directory, and lets it fail one file
# operation later than before, until it has got through. After every run a check looks at what is
# left. Works with any command.
#
#   kill_each_call.sh LIBRARY MODE CHECK [--setup SETUP] -- COMMAND...
#
# LIBRARY   the built kill_at.so
# MODE      KILL_AT, KILL_AFTER, KILL_WITHIN: killed before, after, within the n-th operation;
#           TERM_AT: told to end before it;
#           FULL_FROM: the disk is full from the n-th operation on (the command must exit 0 or 4)
# CHECK     a shell command, run in the directory; not 0 is a failure. The variable OUTCOME says how
#           the command ended (137: killed)
# SETUP     a shell command, run in the directory before
set -u
library=$1 mode=$2 check=$3
shift 3
setup=:
if [ "$1" = --setup ]; then setup=$2 && shift 2; fi
[ "$1" = -- ] && shift

# Processes die here, not machines: memory will do for a disk, and is fast.
base=${CRASH_DIR:-/dev/shm}
[ -w "$base" ] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/reissue-crash-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT

# run DIRECTORY [NAME=VALUE...]: the command in a fresh directory; its exit code in $outcome.
run() {
  local directory=$1
  shift
  mkdir "$directory" && cd "$directory" || exit 1
  (eval "$setup") || { echo "the setup failed"; exit 1; }
  # A subshell of its own keeps bash from reporting "Killed".
  (exec env LD_PRELOAD="$library" "$@" "${command[@]}") >"$work/output" 2>&1
  outcome=$?
}
command=("$@")

run "$work/whole" COUNT_FILE="$work/count"
if [ "$outcome" != 0 ]; then
  echo "the command fails even unharmed (exit $outcome):" && cat "$work/output"
  exit 1
fi
total=$(cat "$work/count")
[ "${total:-0}" -gt 0 ] || { echo "no operations were counted: is the library loaded?"; exit 1; }

failures=0 harmed=0
for ((n = 1; n <= total + 50; ++n)); do
  run "$work/$n" "$mode=$n" 2>/dev/null
  [ "$outcome" != 0 ] && harmed=$((harmed + 1))
  wrong=
  case $mode:$outcome in
    *:0) ;;
    FULL_FROM:4) ;;
    KILL_*:137) ;;
    TERM_AT:143) ;;
    *) wrong="it ended with exit $outcome: $(head -c 500 "$work/output")" ;;
  esac
  [ -z "$wrong" ] && { wrong=$(export OUTCOME=$outcome; eval "$check" 2>&1) && wrong=; }
  if [ -n "$wrong" ]; then
    echo "$mode=$n of $total: $wrong"
    failures=$((failures + 1))
  fi
  cd "$work" && rm -rf "${work:?}/$n"
  # A killed command exits 0 only when it had no n-th operation; a full disk may go unnoticed.
  # So may a signal that comes when the release is being put in place.
  if [ "$outcome" = 0 ] && { [[ $mode == KILL_* ]] || [ "$n" -gt "$total" ]; }; then break; fi
done
echo "$mode: $total operations, $harmed runs harmed, $failures failures"
[ "$failures" = 0 ] && [ "$harmed" -gt 0 ] && [ "$outcome" = 0 ]
