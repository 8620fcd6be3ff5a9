#!/bin/bash
# Measures one process that serves many practices beside one that serves one, in the same run and with the same mix of requests:
# bench-practices.sh VETNET
set -euo pipefail
vetnet=$1
seconds=${SECONDS_EACH:-10}
practices=${PRACTICES:-20}
clients=${CLIENTS:-32}
here=$(dirname "$0")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cc -O2 -o "$folder/load" "$here/load.c" -lpthread
now=2026-11-26T09:10
mkdir "$folder/many"
"$vetnet" init --practice "$folder/one.vetnet" --name Bench --time-zone Europe/London >/dev/null
"$vetnet" import Corpus --practice "$folder/one.vetnet" --now $now >/dev/null
for number in $(seq "$practices"); do cp "$folder/one.vetnet" "$folder/many/practice-$number.vetnet"; done

# 60 % the day, 25 % a patient, 10 % a question about one, 5 % a booking, each of one of the practices; BASE is where they lie.
calls() {
  local base
  for base in "$@"; do
    printf '60\tday\tGET\t%s/day/2026-11-26\t\n' "$base"
    for id in P001 P002 P003 P008 P017; do
      printf '5\tpatient\tGET\t%s/patient/%s\t\n' "$base" $id
      printf '2\task one\tPOST\t%s/api/v1/ask\t{"question":"what did she weigh last?","patient_id":"%s"}\n' "$base" $id
      printf '1\tbook\tPOST\t%s/api/v1/appointments\t{"start":"{start}","clinician_id":"S02","patient_id":"%s","duration_minutes":15,"reason":"itchy ears"}\n' "$base" $id
    done
  done
}
memory() { awk '/VmRSS/ { print int($2 / 1024) }' "/proc/$server/status"; }
measure() {
  local name=$1 calls=$2
  shift 2
  "$vetnet" serve --listen 127.0.0.1:0 --now $now "$@" >"$folder/out" &
  server=$!
  for _ in $(seq 200); do grep -q 'http://' "$folder/out" && break; sleep 0.1; done
  local port
  port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$folder/out" | head -1)
  local before
  before=$(memory)
  # What is opened and loaded at first is not what is measured.
  "$folder/load" "$port" mix "$seconds" "$clients" <"$folder/$calls" >/dev/null
  printf '\n%s, %s clients\n' "$name" "$clients"
  "$folder/load" "$port" mix "$seconds" "$clients" <"$folder/$calls"
  printf 'the server has %s MB, and had %s before anybody came\n' "$(memory)" "$before"
  kill "$server" && wait "$server" 2>/dev/null || true
  server=
}
calls "" >"$folder/one.calls"
calls $(for number in $(seq "$practices"); do echo "/p/practice-$number"; done) >"$folder/many.calls"
printf 'load average %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
measure "one practice" one.calls --practice "$folder/one.vetnet"
measure "$practices practices, $practices open" many.calls --practices "$folder/many" --most-open "$practices"
printf 'load average %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
