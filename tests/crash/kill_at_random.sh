#!/bin/bash
# Publishes a series from one vault while SIGKILL strikes at random moments (seeded; a few seconds
# in all), and checks after each that files and vault agree.
#
#   kill_at_random.sh PROBE CHECK_RELEASE [ROUNDS] [SEED]
set -u
probe=$1 check=$2 rounds=${3:-40} RANDOM=${4:-1}

base=${CRASH_DIR:-/dev/shm}
[ -w "$base" ] || base=${TMPDIR:-/tmp}
work=$(mktemp -d "$base/reissue-crash-XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

# How long one takes, in microseconds, so that the blows fall while it runs.
begin=$(date +%s%N)
"$probe" publish vault "$work/first.csv" "first" || exit 1
span=$((($(date +%s%N) - begin) / 1000))

killed=0 targets=first.csv
for ((i = 1; i <= rounds; ++i)); do
  target=R$i.csv
  targets="$targets $target"
  delay=$(printf '0.%06d' $((100 + (RANDOM * 32768 + RANDOM) % span)))
  # In the foreground it waits for what it kills, which else may hold its lock for a moment; the braces keep
  # bash from reporting "Killed".
  { timeout --foreground -s KILL "$delay" "$probe" publish vault "$work/$target" "content $i" >output 2>&1; } \
    2>/dev/null
  outcome=$?
  case $outcome in
    0) OUTCOME=0 ;;
    124 | 137) OUTCOME=137 killed=$((killed + 1)) ;;
    *) echo "round $i ended with exit $outcome:" && cat output && exit 1 ;;
  esac
  # Success is a promise for this round's file only; the others came or did not come before.
  [ "$OUTCOME" != 0 ] || [ -e "$target" ] || { echo "round $i: success without a file"; exit 1; }
  OUTCOME= "$check" vault "$targets" "'$probe' history vault" "'$probe' recover vault" ||
    { echo "in round $i, killed after $delay s"; exit 1; }
done
"$probe" publish vault "$work/last.csv" "last" || exit 1
echo "$rounds rounds, $killed killed, $(ls | grep -c '\.csv$') releases"
[ "$killed" -gt 0 ]
