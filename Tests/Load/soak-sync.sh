#!/bin/bash
# Shares the schedules of one seed among processes, each with worlds of its own, and keeps what each came to.
# Use: soak-sync.sh TEST-PROGRAM SCHEDULES SEED PROCESSES REPORT
set -euo pipefail
program=$1 schedules=$2 seed=$3 jobs=$4 report=$5

# As in SyncPropertyTests: so many schedules are one world.
per_world=12
worlds=$(((schedules + per_world - 1) / per_world))
share=$(((worlds + jobs - 1) / jobs))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

started=$(date +%s)
pids=()
for ((job = 0; job * share < worlds; job++)); do
  first=$((job * share))
  count=$((first + share <= worlds ? share : worlds - first))
  VETNET_SYNC_SCHEDULES=$((count * per_world)) VETNET_SYNC_SEED=$seed VETNET_SYNC_FIRST=$first VETNET_SYNC_LANES=1 \
    VETNET_SYNC_REPORT=$work/$job.jsonl "$program" --testing-library swift-testing --filter 'SyncPropertyTests' \
    >"$work/$job.log" 2>&1 &
  pids+=($!)
done

failed=0
for job in "${!pids[@]}"; do
  if ! wait "${pids[job]}"; then
    failed=1
    tail -n 40 "$work/$job.log" >&2
  fi
done
cat "$work"/*.jsonl >"$report" || failed=1
echo "$schedules schedules of seed $seed in ${#pids[@]} processes: $(($(date +%s) - started)) s"
cat "$report"
exit $failed
