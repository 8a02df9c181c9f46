#!/bin/bash
# What must hold in the working directory, before anybody opens the vault again, after a publication
# was told to end (OUTCOME 143) or has ended by itself: no temporary is left.
shopt -s nullglob dotglob
left=(*.tmp)
[ "${#left[@]}" = 0 ] || { echo "left behind: ${left[*]}"; exit 1; }
