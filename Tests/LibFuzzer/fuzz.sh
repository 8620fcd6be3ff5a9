#!/bin/bash
# Runs readers under libFuzzer, one after the other, and keeps a line for each run: fuzz.sh PROGRAM REPORT SECONDS [TARGET…]
# What is found lies in .build/libfuzzer-found/TARGET, what was said in .build/libfuzzer-logs; the inputs that led further stay in
# .build/libfuzzer-corpus/TARGET, and the next run goes on from them.
set -euo pipefail
program=$1 report=$2 seconds=$3
shift 3
[ $# -gt 0 ] || mapfile -t targets < <("$program")
[ $# -eq 0 ] || targets=("$@")
folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The runtime's own handler would take crashes from libFuzzer, which then doesn't keep what was read.
export SWIFT_BACKTRACE=enable=no OPENBLAS_NUM_THREADS=1 VETNET_FUZZ_FOLDER=$folder
commit=$(git rev-parse --short HEAD)$(git diff --quiet HEAD -- Sources Tests/FuzzTargets Tests/LibFuzzer || echo -dirty)
mkdir -p "$(dirname "$report")" .build/libfuzzer-logs
[ -s "$report" ] || printf 'started\tcommit\ttarget\tseconds\tcpu_seconds\texecutions\tedges\tfeatures\tcorpus\tpeak_mb\tfound\n' > "$report"

for target in "${targets[@]}"; do
  corpus=.build/libfuzzer-corpus/$target found=.build/libfuzzer-found/$target log=.build/libfuzzer-logs/$target
  mkdir -p "$corpus" "$found"
  kept=(Tests/FuzzTests/Corpus/"$target")
  [ ! -d "Tests/FuzzTests/Crashes/$target" ] || kept+=("Tests/FuzzTests/Crashes/$target")
  end=$((SECONDS + seconds))
  # A run ends with what it finds; what is left of the time is another's, with other inputs.
  for _ in 1 2 3; do
    left=$((end - SECONDS))
    [ $left -gt 0 ] || break
    started=$(date -u +%FT%TZ) begin=$SECONDS
    TIMEFORMAT='cpu: %U %S'
    { time VETNET_FUZZ_TARGET=$target "$program" -max_total_time=$left -print_final_stats=1 -max_len=4096 \
      -timeout=25 -rss_limit_mb=2048 -artifact_prefix="$found/" "$corpus" "${kept[@]}" 2>&1 || true; } > "$log" 2>&1
    last() { sed -n "s/.*$1 *\([0-9][0-9]*\).*/\1/p" "$log" | tail -1; }
    cpu=$(awk '/^cpu:/ { print $2 + $3 }' "$log")
    name=$(sed -n "s:.*Test unit written to $found/::p" "$log" | grep -v '^slow-unit' | head -1 || true)
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$started" "$commit" "$target" $((SECONDS - begin)) "$cpu" \
      "$(last 'stat::number_of_executed_units:')" "$(last ' cov:')" "$(last ' ft:')" "$(last ' corp:')" \
      "$(last 'stat::peak_rss_mb:')" "${name:-none}" | tee -a "$report"
    [ -n "$name" ] || break
    cp "$log" "$found/$name.log"
  done
done
