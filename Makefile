# Everything a newcomer types. `make demo` and `make test` each work as the first command in a fresh clone of a machine
# that has only the Swift toolchain, git, make and apt.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-only stress bitflips lint format bench evaluate default-model install clean

PREFIX ?= /usr/local
RUNS := Evaluations/runs
PACKAGES := libsqlite3-dev libopenblas-dev libstemmer-dev libsodium-dev libedit-dev libical-dev pkg-config tzdata
# An import of a target that Package.swift does not name as a dependency is an error: the arrows can't turn round unseen.
CHECKS := --explicit-target-dependency-import-check error
# The runtime goes into the program, so that an installed vetnet needs no toolchain.
RELEASE := -c release --static-swift-stdlib $(CHECKS)
VETNET := .build/release/vetnet
SOURCES := Sources Tests Package.swift

# The main job on the sample practice, as a vet would meet it, on a practice file that is thrown away. The sample practice
# lives in November 2026: its present is the Friday evening before the week ahead.
define DEMO
set -euo pipefail
vetnet=$$1
folder=$$(mktemp -d)
trap 'rm -rf "$$folder"' EXIT
export VETNET_PRACTICE=$$folder/demo.vetnet
show() { printf '\n\033[1m$$ vetnet'; printf ' %q' "$$@"; printf '\033[0m\n'; "$$vetnet" "$$@" --now 2026-11-20T18:00; }
show init --name "Fernleigh Veterinary Practice" --time-zone Europe/London
show import Corpus
show ask "why was meloxicam stopped?" --patient P001
show ask "was Babesia found?" --patient P002
show ask "was she ever seen for ringworm?" --patient P008
show triage --patient P017 --text "Thumper hasnt touched his greens since last night, no poos in the tray and he is sat hunched up grinding his teeth"
show brief --date 2026-11-23
show schedule show --date 2026-11-26
show schedule optimize --day 2026-11-26 --dry-run
printf '\nThat was VetNet on a practice file that is gone now. Your own: vetnet init, then vetnet import PATH.\n'
endef
export DEMO

help:
	@echo "make setup          install the Debian libraries that are missing"
	@echo "make build          build $(VETNET)"
	@echo "make demo           see VetNet work on the sample practice"
	@echo "make test           lint, check the arrows, run every test"
	@echo "make stress         sixteen programs book at once for a minute"
	@echo "make bitflips       flip a thousand bits of a practice file, and see each found"
	@echo "make bench          measure, and keep the run in Evaluations/runs"
	@echo "make evaluate       run every suite on its dev split (SPLIT=test WHY=… opens the test split, and says so)"
	@echo "make default-model  train Models/vectorizer/default.vnm on Corpus"
	@echo "make format         format the sources"
	@echo "make lint           check the format"
	@echo "make install PREFIX=$(PREFIX)"
	@echo "make clean          remove what was built"

setup:
	@missing=""; \
	for package in $(PACKAGES); do \
	  dpkg-query -W -f='$${db:Status-Abbrev}' $$package 2>/dev/null | grep -q '^ii' || missing="$$missing $$package"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	echo "Installing Debian packages:$$missing" >&2; \
	if [ "$$(id -u)" = 0 ]; then root=""; \
	elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then root="sudo"; \
	else \
	  echo "This needs root. Please run, then try again:" >&2; \
	  echo "  su -c 'apt-get update && apt-get install -y$$missing'" >&2; \
	  exit 1; \
	fi; \
	$$root apt-get update -qq >/dev/null && \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null

build: setup
	swift build $(RELEASE) --product vetnet

demo: build
	@bash -c "$$DEMO" demo $(VETNET)

lint:
	swift format lint --strict --parallel --recursive $(SOURCES)

format:
	swift format --in-place --parallel --recursive $(SOURCES)

test: setup lint test-only

# What failed stands at the end again: among a thousand lines of what passed nobody finds it.
define TEST
set -uo pipefail
log=$$(mktemp)
trap 'rm -f "$$log"' EXIT
swift test --skip-build --parallel 2>&1 | tee "$$log"
status=$$?
[ $$status = 0 ] || { echo "These failed:"; grep -a -A3 -E "^(✘|.*error:)" "$$log" || tail -50 "$$log"; }
exit $$status
endef
export TEST

test-only:
	swift build $(CHECKS) --build-tests
	@bash -c "$$TEST"

# Sixteen programs at one practice file for a minute; make test runs the same with four for three seconds.
stress: setup
	swift build $(CHECKS) --build-tests
	VETNET_STRESS_PROCESSES=16 VETNET_STRESS_SECONDS=60 swift test --skip-build --filter ContentionTests

# A thousand single bits of a practice file, each on a fresh copy; make test flips sixty.
bitflips: setup
	swift build $(CHECKS) --build-tests
	VETNET_BITFLIPS=1000 swift test --skip-build --filter BitFlipTests

bench: build
	$(VETNET) bench practice --corpus Corpus --runs $(RUNS)
	$(VETNET) bench emergencies
	@bash -c "$$PEERS" peers $(VETNET) $(RUNS) $(ROWS) $(PATIENTS)

# FAISS, sqlite-vec and CP-SAT are installed for the measurement only, into an environment that is thrown away.
ROWS ?= 1000000
PATIENTS ?= 7000
define PEERS
set -euo pipefail
vetnet=$$1 runs=$$2 rows=$$3 patients=$$4
peers=$$(mktemp -d)
trap 'rm -rf "$$peers"' EXIT
if ! { python3 -m venv "$$peers/python" && "$$peers/python/bin/pip" install -q faiss-cpu sqlite-vec apsw ortools numpy; }; then
  echo "The peers could not be installed (python3 with venv, and a network, are needed): measured without them." >&2
  exit 0
fi
export PYTHONDONTWRITEBYTECODE=1
peer() { local script=$$1; shift; "$$peers/python/bin/python" "Evaluations/peers/$$script.py" "$$vetnet" --runs "$$runs" "$$@"; }
peer practice_file --models Models --patients "$$patients" --folder "$$peers/practice"
peer vector_search --practice "$$peers/practice/practice.vetnet" --rows "$$rows"
peer planning --unseen 6
endef
export PEERS

# Every suite on one split, kept with predictions and pages. Opening the test split is recorded before it happens.
SPLIT ?= dev
evaluate: build
	@if [ "$(SPLIT)" = test ]; then \
	  [ -n "$(WHY)" ] || { echo "SPLIT=test needs WHY=reason: each use of the test split is recorded" >&2; exit 64; }; \
	  printf '%s\t%s\t%s\n' "$$(date -u +%FT%TZ)" "$$(git rev-parse --short HEAD)" "$(WHY)" >> $(RUNS)/test-openings.tsv; \
	fi
	$(VETNET) evaluate check Evaluations
	for suite in triage complexity assertions; do \
	  $(VETNET) evaluate $$suite Evaluations/$$suite/$(SPLIT).jsonl --runs $(RUNS) || exit 1; \
	done
	$(VETNET) evaluate questions Evaluations/questions/$(SPLIT) --runs $(RUNS)
	$(VETNET) evaluate questions Evaluations/questions/lakeside --runs $(RUNS)
	$(VETNET) evaluate questions Evaluations/questions/prairie --runs $(RUNS)
	$(VETNET) evaluate triage Evaluations/triage/unseen.jsonl --runs $(RUNS)
	$(VETNET) evaluate assertions Evaluations/assertions/ninth.jsonl --runs $(RUNS)
	for set in history similar-cases; do \
	  $(VETNET) evaluate retrieval Evaluations/retrieval/$$set/$(SPLIT) --runs $(RUNS) || exit 1; \
	done
	$(VETNET) evaluate duration Evaluations/duration/corpus.jsonl --runs $(RUNS)
	$(VETNET) evaluate schedule Evaluations/schedule --iterations 20000 --runs $(RUNS)

default-model: build
	$(VETNET) reindex --train-default Corpus --out Models/vectorizer/default.vnm

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/share/vetnet"
	install -m 755 $(VETNET) "$(DESTDIR)$(PREFIX)/bin/vetnet"
	rm -rf "$(DESTDIR)$(PREFIX)/share/vetnet/Models"
	cp -R Models "$(DESTDIR)$(PREFIX)/share/vetnet/Models"

clean:
	rm -rf .build
