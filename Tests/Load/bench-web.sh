#!/bin/bash
# Measures the workspace on the sample practice, beside a file that the same server sends in the same run, then on one of 100,000
# notes: bench-web.sh VETNET
set -euo pipefail
vetnet=$1
seconds=${SECONDS_EACH:-3}
here=$(dirname "$0")
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$folder"' EXIT
cc -O2 -o "$folder/load" "$here/load.c" -lpthread
export VETNET_PRACTICE=$folder/p.vetnet
now=2026-11-26T09:10
"$vetnet" init --name Bench --time-zone Europe/London >/dev/null
"$vetnet" import Corpus --now $now >/dev/null
"$vetnet" serve --listen 127.0.0.1:0 --now $now >"$folder/out" &
server=$!
for _ in $(seq 100); do grep -q 'http://' "$folder/out" && break; sleep 0.1; done
port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$folder/out")
file=$(exec 3<>/dev/tcp/127.0.0.1/"$port"; printf 'GET /triage HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3; grep -o '/assets/[^"]*style\.css' <&3 | head -1)
calls=(
  "static file|GET|$file|"
  "healthz|GET|/healthz|"
  "page: day|GET|/day/2026-11-26|"
  "page: triage|GET|/triage|"
  "page: patient|GET|/patient/P001|"
  "page: patients|GET|/patients?q=bella|"
  "page: note|GET|/note/N0046?start=60&end=74|"
  "page: ask|GET|/ask|"
  "page: briefs|GET|/brief/2026-11-26|"
  "page: jobs|GET|/jobs|"
  "api: day|GET|/api/v1/day/2026-11-26|"
  "api: patient|GET|/api/v1/patients/P001|"
  "api: chart|GET|/api/v1/patients/P001/chart|"
  "api: patients|GET|/api/v1/patients?q=b|"
  'api: ask one|POST|/api/v1/ask|{"question":"why was meloxicam stopped?","patient_id":"P001"}'
  'api: ask all|POST|/api/v1/ask|{"question":"which dogs had a reaction to meloxicam?"}'
  'api: triage|POST|/api/v1/triage|{"text":"cat not eating since yesterday","species":"cat"}'
  'api: slots|POST|/api/v1/slots|{"text":"itchy ears","patient_id":"P003","limit":5}'
  'api: book (dry)|POST|/api/v1/appointments|{"start":"2026-11-27T13:00","clinician_id":"S02","patient_id":"P001","duration_minutes":15,"dry_run":true}'
)
printf '%-18s' "milliseconds"
for clients in 1 8 32; do printf '%36s' "$clients clients: a second, p50, p99, x"; done
printf '\n'
declare -A static
for call in "${calls[@]}"; do
  IFS='|' read -r name method path body <<<"$call"
  printf '%-18s' "$name"
  # What is loaded at first is not what is measured.
  "$folder/load" "$port" ask 0.3 4 "$method" "$path" "$body" >/dev/null
  for clients in 1 8 32; do
    read -r rate middle late <<<"$("$folder/load" "$port" ask "$seconds" $clients "$method" "$path" "$body")"
    [ "$name" = "static file" ] && static[$clients]=$middle
    awk -v r="$rate" -v m="$middle" -v l="$late" -v s="${static[$clients]}" 'BEGIN { printf "%9d %8.2f %8.2f %7.1fx", r, m, l, m / s }'
  done
  printf '\n'
done
mkfifo "$folder/go"
"$folder/load" "$port" streams 500 '{"start":"2026-11-27T14:00","clinician_id":"S02","patient_id":"P001","duration_minutes":15}' <"$folder/go" >"$folder/told" &
streams=$!
exec 4>"$folder/go"
for _ in $(seq 300); do [ -s "$folder/told" ] && break; sleep 0.1; done
printf '500 event streams: the last is told %s ms after the booking is answered; the server has %s MB\n' "$(cat "$folder/told")" "$(awk '/VmRSS/ { print int($2 / 1024) }' /proc/$server/status)"
exec 4>&-
wait $streams || true

# A practice of some size, and what a practice asks of it all day: 60 % the day, 25 % a patient, 10 % a question about one, 5 % a
# booking. Beside it, in the same run, datasette with the same file, where it is installed.
patients=${PATIENTS:-5000}
kill "$server" && wait "$server" 2>/dev/null || true
server=
export VETNET_PRACTICE=$folder/large.vetnet
"$vetnet" simulate --patients "$patients" --seed 7 --until 2026-11-26 --out "$folder/large" >/dev/null
"$vetnet" init --name Large --time-zone Europe/London >/dev/null
"$vetnet" import "$folder/large" --now $now >/dev/null 2>&1
printf '\n%s\n' "$("$vetnet" status --now $now | grep -iE 'passages|notes' | tr '\n' ' ')"
"$vetnet" serve --listen 127.0.0.1:0 --now $now >"$folder/out" &
server=$!
for _ in $(seq 100); do grep -q 'http://' "$folder/out" && break; sleep 0.1; done
port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$folder/out")
ids=$(sed -n 's/^{"id":"\([^"]*\)".*/\1/p' "$folder/large/patients.jsonl" | awk 'NR % 23 == 0' | head -200)
vet=$(grep -m1 '"role":"veterinarian"' "$folder/large/staff.jsonl" | sed 's/^{"id":"\([^"]*\)".*/\1/')
questions=("why was the last drug stopped?" "what did she weigh last?" "any reaction to a drug?" "when was the last vaccination?")
{
  printf '60\tday\tGET\t/day/2026-11-26\t\n'
  number=0
  for id in $ids; do
    printf '0.125\tpatient\tGET\t/patient/%s\t\n' "$id"
    printf '0.05\task one\tPOST\t/api/v1/ask\t{"question":"%s","patient_id":"%s"}\n' "${questions[number % 4]}" "$id"
    printf '0.025\tbook\tPOST\t/api/v1/appointments\t{"start":"{start}","clinician_id":"%s","patient_id":"%s","duration_minutes":15,"reason":"itchy ears"}\n' "$vet" "$id"
    number=$((number + 1))
  done
} >"$folder/calls"
"$folder/load" "$port" mix 2 8 <"$folder/calls" >/dev/null
"$folder/load" "$port" mix "$((seconds * 5))" 32 <"$folder/calls"
printf 'the server has %s MB\n' "$(awk '/VmRSS/ { print int($2 / 1024) }' /proc/$server/status)"
printf 'the day, compressed: %s bytes of %s\n' "$(exec 3<>/dev/tcp/127.0.0.1/"$port"; printf 'GET /day/2026-11-26 HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$port" >&3; tee "$folder/day.html" <&3 | gzip -9 | wc -c)" "$(wc -c <"$folder/day.html")"
if command -v "${DATASETTE:-datasette}" >/dev/null; then
  "${DATASETTE:-datasette}" serve "$VETNET_PRACTICE" --port 8419 >/dev/null 2>&1 &
  other=$!
  for _ in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/8419) 2>/dev/null && break; sleep 0.1; done
  printf '100\tdatasette\tGET\t/large/appointment.json?_size=40&_shape=objects\t\n' |
    "$folder/load" 8419 mix "$seconds" 32 | tail -1 | sed 's/^all/datasette, 40 rows of appointment as JSON:/'
  kill "$other"
fi
