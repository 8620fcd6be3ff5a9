# Everything a newcomer types. `make demo` and `make test` each work as the first command in a fresh clone of a machine
# that has only the Swift toolchain, git, make and apt.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-only acceptance stress bitflips soak lint format bench evaluate evaluate-unseen install check-install clean \
  fit fit-triage fit-reactions fit-answers known-words default-model

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
	@echo "make test           lint, check the arrows, run every test; says what failed (the log: $(LOG))"
	@echo "make acceptance     prove on the whole grid that no reassurance brings a red flag below its floor"
	@echo "make stress         sixteen programs book at once for a minute"
	@echo "make bitflips       flip a thousand bits of a practice file, and see each found"
	@echo "make soak           kill imports, backups, bookings and more ten thousand times, fail every write, and see nothing lost"
	@echo "make bench          measure, and keep the run in Evaluations/runs"
	@echo "make evaluate       run every suite on its dev split (SPLIT=test WHY=… opens the test split, and says so)"
	@echo "make evaluate-unseen WHY=…  measure on the sets of Evaluations/unseen.tsv, once a release; keeps who opened what"
	@echo "make fit            make everything learned again: fit-triage, fit-reactions, fit-answers, known-words, default-model (Models/README.md)"
	@echo "make format         format the sources"
	@echo "make lint           check the format"
	@echo "make install PREFIX=$(PREFIX)"
	@echo "make check-install  install into a folder that is thrown away, and use it"
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

# Only what fails is shown while tests run; a megabyte of what passed goes to the log. The last line is swift test's own.
LOG := .build/test.log
define TEST
set -uo pipefail
log=$$1
swift test --skip-build --parallel 2>&1 | tee "$$log" | { grep -a --line-buffered -E '^✘|: error:' | grep -a --line-buffered -v '^✘ Test run with'; true; }
status=$${PIPESTATUS[0]}
if [ $$status != 0 ]; then
  echo "These failed:"
  grep -a -A3 -E '^✘ Test .* recorded an issue|: error:' "$$log" || tail -50 "$$log"
fi
echo "The whole log: $$log"
grep -a 'Test run with [0-9]' "$$log" | tail -1
exit $$status
endef
export TEST

test-only:
	swift build $(CHECKS) --build-tests
	@bash -c "$$TEST" test $(LOG)

# The longer proofs: the whole grid of red and orange examples beside reassuring sentences, apart, joined and with the
# form filled in, some 170,000 assessments; make test draws
# a few hundred of them.
acceptance: build
	$(VETNET) evaluate floors --runs $(RUNS)

# Sixteen programs at one practice file for a minute; make test runs the same with four for three seconds.
stress: setup
	swift build $(CHECKS) --build-tests
	VETNET_STRESS_PROCESSES=16 VETNET_STRESS_SECONDS=60 swift test --skip-build --filter ContentionTests

# A thousand single bits of a practice file, each on a fresh copy; make test flips sixty.
bitflips: setup
	swift build $(CHECKS) --build-tests
	VETNET_BITFLIPS=1000 swift test --skip-build --filter BitFlipTests

# Real processes, killed at every step in which they write and at random times, and each kind of step failing in turn; make test
# does a few dozen of each. What was done and lost is kept, a line for each piece of work.
KILLS ?= 10000
SOAK_RUN := $(CURDIR)/$(RUNS)/$(shell date -u +%F)-$(shell nproc)-core-linux
soak: build
	swift build $(CHECKS) --build-tests
	mkdir -p $(SOAK_RUN) && rm -f $(SOAK_RUN)/kill-sweep.jsonl
	VETNET_SOAK_KILLS=$(KILLS) VETNET_SOAK_PROGRAM=$(CURDIR)/$(VETNET) VETNET_SOAK_REPORT=$(SOAK_RUN)/kill-sweep.jsonl \
	  swift test --skip-build --filter 'KillSweepTests|FaultLoopTests|MigrationKillTests|EncryptedSweepTests'

bench: build
	$(VETNET) bench practice --corpus Corpus --runs $(RUNS)
	$(VETNET) bench encryption --corpus Corpus --runs $(RUNS)
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
	$(VETNET) evaluate triage Evaluations/triage/safety-dev.jsonl --runs $(RUNS)
	$(VETNET) evaluate questions Evaluations/questions/$(SPLIT) --runs $(RUNS)
	for set in history similar-cases; do \
	  $(VETNET) evaluate retrieval Evaluations/retrieval/$$set/$(SPLIT) --runs $(RUNS) || exit 1; \
	done
	$(VETNET) evaluate duration Evaluations/duration/corpus.jsonl --runs $(RUNS)
	$(VETNET) evaluate schedule Evaluations/schedule --iterations 20000 --runs $(RUNS)

# Sets that nobody who works on the program has read stay unseen only while nobody looks at their figures on the way: they are
# measured once a release, with a reason, and what is opened is kept beside how often it had been opened before. SETS names
# some of them; without it all are opened. Predictions and pages are not kept, so that the cases stay unread.
UNSEEN := Evaluations/unseen.tsv
define UNSEEN_SETS
set -euo pipefail
vetnet=$$1 table=$$2 runs=$$3 why=$$4 sets=$$5
[ -n "$$why" ] || { echo "WHY=reason is needed: each opening of an unseen set is recorded" >&2; exit 64; }
for set in $$sets; do
  awk -F'\t' -v set="$$set" '$$2 == set { found = 1 } END { exit !found }' "$$table" || { echo "$$table has no set '$$set'" >&2; exit 64; }
done
status=0
while IFS=$$'\t' read -r suite set opened note; do
  if [ -n "$$sets" ] && [[ " $$sets " != *" $$set "* ]]; then continue; fi
  [ -e "$$set" ] || { echo "$$set is not there" >&2; exit 66; }
  printf '%s\t%s\t%s\t%s\n' "$$(date -u +%FT%TZ)" "$$(git rev-parse --short HEAD)" "$$set" "$$why" >> "$$runs/unseen-openings.tsv"
  before=$$(( opened + $$(grep -cF "	$$set	" "$$runs/unseen-openings.tsv") - 1 ))
  echo "$$set: opened $$before times before"
  # The suite may bring options of its own. One that finds violations fails, but keeps no other set from being measured.
  "$$vetnet" evaluate $$suite "$$set" --runs "$$runs" --figures-only < /dev/null || status=1
done < <(grep -v '^#' "$$table" | tail -n +2)
exit $$status
endef
export UNSEEN_SETS

evaluate-unseen: build
	@bash -c "$$UNSEEN_SETS" unseen $(VETNET) $(UNSEEN) $(RUNS) "$(WHY)" "$(SETS)"

# Everything learned, from files of this repository (Models/README.md). Binaries are worth a commit only where they change
# what ships.
# One after the other: triage is fitted with the words that are known.
fit: build
	for step in known-words default-model fit-triage fit-reactions fit-answers; do $(MAKE) --no-print-directory $$step || exit 1; done

fit-reactions: build
	$(VETNET) evaluate fit-reactions --models Models --out Models

fit-triage: build
	$(VETNET) evaluate fit-triage --models Models --out Models

ANSWERED := train branch-practice market-town harbour night-service valley-surgery island-clinic dockyard quarry-road
fit-answers: build
	$(VETNET) evaluate fit-answers $(ANSWERED:%=Evaluations/questions/%) --pairs Evaluations/questions/pairs.jsonl --models Models --out Models

# General English is from Debian, as the libraries are.
known-words: build
	@$(MAKE) --no-print-directory setup PACKAGES="wamerican wbritish"
	$(VETNET) evaluate known-words /usr/share/dict/american-english /usr/share/dict/british-english --models Models --out Models

default-model: build
	$(VETNET) reindex --train-default Corpus --models Models --out Models/vectorizer/default.vnm

# Each fitted file by its name.
.PHONY: Models/triage/case-model.vnm Models/triage/rule-trust.tsv Models/triage/level-calibration.tsv \
  Models/triage/known-words.tsv Models/extraction/reaction-weights.tsv Models/briefing/answer-weights.tsv \
  Models/briefing/answer-translations.tsv Models/vectorizer/default.vnm
Models/triage/case-model.vnm Models/triage/rule-trust.tsv Models/triage/level-calibration.tsv: fit-triage
Models/briefing/answer-weights.tsv Models/briefing/answer-translations.tsv: fit-answers
Models/extraction/reaction-weights.tsv: fit-reactions
Models/triage/known-words.tsv: known-words
Models/vectorizer/default.vnm: default-model

# Without symbols, which nobody who installs needs, and without the texts that triage was fitted to: their ids and levels
# suffice to name what resembles a case.
STRIP := $(shell command -v strip >/dev/null && echo -s)
TRAINING := triage/exemplars.tsv extraction/reaction-exemplars.tsv
INSTALLED := $(DESTDIR)$(PREFIX)

install: build
	install -d "$(INSTALLED)/bin" "$(INSTALLED)/share/vetnet"
	install $(STRIP) -m 755 $(VETNET) "$(INSTALLED)/bin/vetnet"
	rm -rf "$(INSTALLED)/share/vetnet/Models"
	cp -R Models "$(INSTALLED)/share/vetnet/Models"
	cd "$(INSTALLED)/share/vetnet/Models" && rm -f $(TRAINING)

# The installed tree does the main job with nothing of the clone in reach.
define CHECK_INSTALL
set -euo pipefail
folder=$$1
vetnet() { env -i HOME="$$folder" PATH=/usr/bin:/bin VETNET_PRACTICE="$$folder/check.vetnet" "$$folder/usr/bin/vetnet" "$$@"; }
corpus=$$PWD/Corpus
cd "$$folder"
du -h usr/bin/vetnet usr/share/vetnet/Models | awk '{print $$1 "\t" $$2}' | grep -E 'bin/vetnet|Models$$'
if find usr -name '*exemplars.tsv' | grep -q .; then echo "training texts were installed" >&2; exit 1; fi
vetnet init --name "Check" --time-zone Europe/London >/dev/null
vetnet import "$$corpus" >/dev/null
vetnet ask "why was meloxicam stopped?" --patient P001 --now 2026-11-20T18:00 | grep "NSAID gastropathy"
# Not piped into grep -q, which closes the pipe on a program that is still speaking.
answer=$$(vetnet triage --text "my cat is not breathing and her gums are blue" --species cat --json --now 2026-11-20T18:00)
grep -q '"target_minutes":0' <<< "$$answer"
grep -q '"neighbours":\[{"id"' <<< "$$answer"
vetnet brief --date 2026-11-23 --now 2026-11-20T18:00 >/dev/null
vetnet status >/dev/null
echo "What make install puts in place works."
endef
export CHECK_INSTALL

check-install: build
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	$(MAKE) --no-print-directory -o build install DESTDIR="$$folder" PREFIX=/usr >/dev/null && bash -c "$$CHECK_INSTALL" check "$$folder"

clean:
	rm -rf .build
