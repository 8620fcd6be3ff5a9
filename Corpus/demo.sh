#!/usr/bin/env bash
# The main job on the sample practice, as a vet would meet it: usage: demo.sh PATH/TO/vetnet
set -euo pipefail
vetnet=$(realpath "$1")
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export VETNET_PRACTICE=$folder/demo.vetnet
# The sample practice lives in November 2026: its "now" is the Friday before the week ahead.
now=2026-11-20T18:00

show() {
  printf '\n\033[1m$ vetnet'; printf ' %q' "$@"; printf '\033[0m\n'
  "$vetnet" "$@" --now "$now"
}

show init --name "Fernleigh Veterinary Practice" --time-zone Europe/London
show import Corpus
show ask "why was meloxicam stopped?" --patient P001
show ask "has he ever had a blood transfusion?" --patient P002
show ask "any microchip number?" --patient P008
echo "Thumper hasnt touched his greens since last night, no poos in the tray and he is sat hunched up grinding his teeth" > "$folder/intake.txt"
show triage "$folder/intake.txt" --patient P017
show brief --date 2026-11-23
show schedule show --date 2026-11-23
show schedule optimize --date 2026-11-23 --dry-run
printf '\nThat was VetNet on a throw-away practice file. Your own: vetnet init, then vetnet import PATH.\n'
