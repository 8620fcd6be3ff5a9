#!/bin/bash
# Puts into the kept corpus those inputs of the work corpus that lead where the kept ones don't, the ones that lead to most places
# first, and only a few for each reader: keep.sh PROGRAM [TARGET…]
set -euo pipefail
program=$1 most=${MOST:-15}
shift
[ $# -gt 0 ] || mapfile -t targets < <("$program")
[ $# -eq 0 ] || targets=("$@")
folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$folder"' EXIT
export SWIFT_BACKTRACE=enable=no OPENBLAS_NUM_THREADS=1 VETNET_FUZZ_FOLDER=$folder

for target in "${targets[@]}"; do
  kept=Tests/FuzzTests/Corpus/$target corpus=.build/libfuzzer-corpus/$target
  [ -d "$corpus" ] || continue
  mkdir "$folder/merged"
  VETNET_FUZZ_TARGET=$target "$program" -set_cover_merge=1 -max_len=4096 -merge_control_file="$folder/control" \
    "$folder/merged" "$kept" "$corpus" > "$folder/log" 2>&1 || { tail -3 "$folder/log" >&2; exit 1; }
  # Of the control file: which features each input has. Greedy: next comes the input with the most that nothing kept has.
  awk -v kept="$kept/" -v most="$most" '
    NR == 1 { files = $1; next }
    NR > 2 && NR <= files + 2 { name[NR - 3] = $0; next }
    $1 == "FT" {
      for (i = 3; i <= NF; i++)
        if (index(name[$2], kept) == 1) seen[$i] = 1
        else features[$2] = features[$2] " " $i
    }
    END {
      while (most-- > 0) {
        best = 0
        for (input in features) {
          n = split(features[input], list, " "); gain = 0
          for (i = 1; i <= n; i++) if (!(list[i] in seen)) gain++
          if (gain == 0) delete features[input]
          else if (gain > best || (gain == best && name[input] < name[chosen])) { best = gain; chosen = input }
        }
        if (best == 0) break
        n = split(features[chosen], list, " ")
        for (i = 1; i <= n; i++) seen[list[i]] = 1
        delete features[chosen]
        print name[chosen]
      }
    }' "$folder/control" > "$folder/chosen"
  while read -r input; do
    # Behind those that have names, of which the first are read cut off at each byte, too.
    cp "$input" "$kept/z-$(basename "$input" | cut -c1-12)"
  done < "$folder/chosen"
  echo "$target: $(wc -l < "$folder/chosen") of $(find "$corpus" -type f | wc -l)"
  rm -rf "$folder/merged" "$folder/control"
done
