# Everything a newcomer types. `make demo` and `make test` each work as the first command in a fresh clone of a machine
# that has only the Swift toolchain, git, make and apt.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build demo package check-package check-service check-container check-completions docs interop-mcp interop test test-only browser-test acceptance network-test bench-network name-words stress soak-sync bench-sync stress-web bench-web bench-practices bench-photos bitflips soak working-day fuzz libfuzzer libfuzzer-keep lint format bench bench-import evaluate evaluate-unseen install check-install clean icons \
  fit fit-triage fit-reactions fit-answers fit-names known-words default-model cues

PREFIX ?= /usr/local
RUNS := Evaluations/runs
PACKAGES := libsqlite3-dev libopenblas-dev libstemmer-dev libsodium-dev libedit-dev libical-dev libmicrohttpd-dev libfido2-dev libvips42 libcurl4 libzip-dev libexpat1-dev pkg-config tzdata
# An import of a target that Package.swift does not name as a dependency is an error: the arrows can't turn round unseen.
CHECKS := --explicit-target-dependency-import-check error
# How tests are built: without what only a debugger reads, without an index, which nothing reads where Tests/XCTMain.swift says how
# tests begin, and each module in one go, which also writes down what it has to offer: on two cores about a quarter less time than
# before. Who changes a file and builds again and again builds without the last: make test-only WHOLE=.
WHOLE := -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo
TESTED := $(CHECKS) -debug-info-format none --disable-index-store $(WHOLE)
# The runtime goes into the program, so that an installed vetnet needs no toolchain.
RELEASE := -c release --static-swift-stdlib $(CHECKS)
VETNET := .build/release/vetnet
DEBUG := .build/debug/vetnet
# Where the tables are kept as tests read them.
COMPILED := Models
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
	@echo "make test           lint, check the arrows, run the tests (in a browser, where there is one, a quarter of them); says what failed (the log: $(LOG))"
	@echo "make acceptance     prove on the whole grid that no reassurance brings a red flag below its floor"
	@echo "make browser-test   use the workspace in a real browser in every way that is tested (installs Chromium), and look for barriers"
	@echo "make interop        have other programs read what is exported, and talk to this one (needs Python and its packages' index)"
	@echo "make stress         sixteen programs book at once for a minute"
	@echo "make stress-web     kill the workspace's server two hundred times while many write, and see nothing lost"
	@echo "make bench-web      measure the workspace's pages and calls, beside a file that it sends in the same run (needs cc)"
	@echo "make bench-practices measure one process with twenty practices beside one with one, in the same run (needs cc)"
	@echo "make bench-photos   measure 10,000 and 50,000 photos (PHOTOS=…): lists, pictures, memory, swipes in a real browser; keeps the figures"
	@echo "make bitflips       flip a thousand bits of a practice file, and see each found"
	@echo "make soak           kill imports, backups, bookings and more ten thousand times, fail every write, and see nothing lost"
	@echo "make soak-sync      ten thousand schedules (SCHEDULES=…) of a hub and three devices, and syncs killed at every step; keeps the figures"
	@echo "make bench-sync     a day of twenty devices that are offline a third of the time, on the sample practice; keeps the figures"
	@echo "make working-day    play a practice's day at five browsers at twenty times its speed (24 minutes)"
	@echo "make fuzz           make up files, questions and messages for each reader, TIMES as many as make test does"
	@echo "make libfuzzer      have libFuzzer look for inputs that take each reader (TARGET=…) further, SECONDS each; keeps the figures"
	@echo "make bench          measure, and keep the run in Evaluations/runs"
	@echo "make bench-import   import 100,000 notes (NOTES=…) in three formats, beside sqlite-utils (needs Python and its packages' index)"
	@echo "make network-test   run every job over many practices on processes, Dask and Spark, and compare (needs Python and its packages' index)"
	@echo "make bench-network  measure jobs over many practices: notes a second by workers, memory, one large practice (NETWORK_PRACTICES=…)"
	@echo "make evaluate       run every suite on its dev split (SPLIT=test WHY=… opens the test split, and says so)"
	@echo "make evaluate-unseen WHY=…  measure on the sets of Evaluations/unseen.tsv, once a release; keeps who opened what"
	@echo "make fit            make everything learned again: fit-triage, fit-reactions, fit-answers, fit-names, known-words, default-model (Models/README.md)"
	@echo "make cues           show cues that no text hangs on and families to write once; OUT=Models writes the smaller tables"
	@echo "make icons          draw the pictures of the installed workspace anew"
	@echo "make format         format the sources"
	@echo "make lint           check the format"
	@echo "make install PREFIX=$(PREFIX)"
	@echo "make package        build a Debian package in $(PACKAGED)"
	@echo "make check-package  install it in a bare Debian without Swift, use it, remove it (make acceptance does so too)"
	@echo "make check-service  have systemd start the unit in a throw-away copy of this system (make acceptance does so too)"
	@echo "make check-container  build the container file and run it with podman, on an image made from Debian's archive"
	@echo "make check-completions  complete in zsh and fish as people do (make acceptance does so too)"
	@echo "make docs           build the pages of articles and public symbols in $(DOCUMENTED)"
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
	$(VETNET) compile-models --models Models --out Models

demo: build
	@bash -c "$$DEMO" demo $(VETNET)

lint:
	swift format lint --strict --parallel --recursive $(SOURCES)

format:
	swift format --in-place --parallel --recursive $(SOURCES)

test: setup lint test-only

# Each target's tests run in a process of their own, two at a time, those of the largest targets first: tests that wait for a program
# or a disk leave a process idle, and one alone took an eighth to a quarter longer. Only what fails is shown; a megabyte of what passed goes to the
# log. The last line sums up what each process says of itself.
LOG := .build/test.log
TEST_PROGRAM := .build/debug/VetNetPackageTests.xctest
define TEST
set -uo pipefail
log=$$1
export program=$$2 folder=$$(mktemp -d)
trap 'rm -rf "$$folder"' EXIT
run() {
  "$$program" --testing-library swift-testing --filter "^$$1\\." > "$$folder/$$1" 2>&1
  status=$$?
  grep -a -E '^✘|: error:' "$$folder/$$1" | grep -a -v '^✘ Test run with'
  [ $$status = 0 ] || echo "$$1 ended with status $$status."
  return $$status
}
export -f run
du -s Tests/*Tests | sort -rn | sed 's:.*/::' | xargs -P 2 -I TARGET bash -c 'run TARGET'
status=$$?
cat "$$folder"/* > "$$log"
if [ $$status != 0 ]; then
  echo "These failed:"
  grep -a -A3 -E '^✘ Test .* recorded an issue|: error:' "$$log"
  for file in "$$folder"/*; do tail -1 "$$file" | grep -aq 'Test run with [0-9]' || tail -50 "$$file"; done
fi
echo "The whole log: $$log"
for file in "$$folder"/*; do grep -a 'Test run with [0-9]' "$$file" | tail -1; done | awk -v status=$$status -v seconds=$$SECONDS '{ tests += $$5; suites += $$8 } END {
  printf "%s Test run with %d tests in %d suites %s after %d seconds.\n", status ? "✘" : "✔", tests, suites, status ? "failed" : "passed", seconds }'
exit $$status
endef
export TEST

# The programs that tests start read compiled tables, as installed ones do.
test-only:
	swift build $(TESTED) --build-tests
	$(DEBUG) compile-models --models Models --out $(COMPILED) >/dev/null
	@bash -c "$$TEST" test $(LOG) $(TEST_PROGRAM)

# The longer proofs: the whole grid of red and orange examples beside reassuring sentences, apart, joined and with the
# form filled in, some 170,000 assessments; make test draws
# a few hundred of them. And all cases of tests of which make test tries every so-manieth.
acceptance: build browser-test
	$(VETNET) evaluate floors --runs $(RUNS)
	VETNET_TESTS=all $(TEST_PROGRAM) --testing-library swift-testing --filter 'VetNetTests\.(LanguageGuessTests|CompiledModelsTests|ImportUpdateTests)'
	@$(MAKE) --no-print-directory check-completions
	@$(MAKE) --no-print-directory -o build check-package
	@$(MAKE) --no-print-directory -o build check-service

# Completion in Debian's zsh and fish themselves; make test does it in those that are installed.
check-completions: setup
	@$(MAKE) --no-print-directory setup PACKAGES="zsh fish"
	swift build $(TESTED) --build-tests
	VETNET_SHELLS_NEEDED=1 $(TEST_PROGRAM) --testing-library swift-testing --filter 'VetNetCLITests\.(ShellCompletionTests|CompletionTests)'

# The workspace in Debian's Chromium: by mouse, by keyboard, on a phone's screen, two at once; every page with axe-core, which is
# fetched for that; the server killed thirty times under load. Screenshots are left in .build/screenshots. make test does it without
# axe where Chromium is installed, and kills three times.
define BROWSER
set -euo pipefail
fetched=$$(mktemp -d)
trap 'rm -rf "$$fetched"' EXIT
if python3 -m pip download -q --no-deps -d "$$fetched" axe-playwright-python==0.1.8 && python3 -m zipfile -e "$$fetched"/*.whl "$$fetched"; then
  export VETNET_AXE=$$(find "$$fetched" -name axe.min.js | head -1)
else
  echo "axe-core could not be fetched (python3 with pip, and a network, are needed): pages are not searched for barriers." >&2
fi
VETNET_BROWSER_TESTS=all VETNET_SERVER_KILLS=30 $(TEST_PROGRAM) --testing-library swift-testing --filter 'WebTests\.(BrowserTests|KillTests|PhotoBenchTests|WorkingDayTests)'
endef
export BROWSER

# A day of 120 visits, 40 calls and 6 emergencies at five browsers, at twenty times its speed: 24 minutes.
DAY_SPEED ?= 20
working-day: setup
	@$(MAKE) --no-print-directory setup PACKAGES="chromium chromium-driver"
	swift build $(TESTED) --build-tests
	VETNET_BROWSER_TESTS=all VETNET_DAY_MINUTES=480 VETNET_DAY_SPEED=$(DAY_SPEED) $(TEST_PROGRAM) --testing-library swift-testing --filter WorkingDayTests

# Photos in tens of thousands, by plain requests and in a real browser.
PHOTOS ?= 10000,50000
PHOTO_RUN = $(CURDIR)/$(RUNS)/$(shell date -u +%F)-$(shell nproc)-core-linux
bench-photos: build
	@$(MAKE) --no-print-directory setup PACKAGES="chromium chromium-driver"
	swift build $(TESTED) --build-tests
	mkdir -p "$(PHOTO_RUN)"
	VETNET_BROWSER_TESTS=all VETNET_PHOTOS=$(PHOTOS) VETNET_PROGRAM="$(CURDIR)/$(VETNET)" VETNET_PHOTO_RUN="$(PHOTO_RUN)/photos.txt" $(TEST_PROGRAM) --testing-library swift-testing --filter PhotoBenchTests

# The pictures of the installed workspace, of the drawings beside them.
icons:
	@$(MAKE) --no-print-directory setup PACKAGES="librsvg2-bin"
	rsvg-convert -w 192 Sources/Web/Assets/icon.svg -o Sources/Web/Assets/icon-192.png
	rsvg-convert -w 512 Sources/Web/Assets/icon.svg -o Sources/Web/Assets/icon-512.png
	rsvg-convert -w 512 Sources/Web/Assets/icon-maskable.svg -o Sources/Web/Assets/icon-maskable.png

browser-test: setup
	@$(MAKE) --no-print-directory setup PACKAGES="chromium chromium-driver"
	swift build $(TESTED) --build-tests
	@bash -c "$$BROWSER"

# What is exported, read by others in a scratch environment of Python; make test does the same with what is installed.
INTEROP := .build/interop
define INTEROP_RUN
set -euo pipefail
vetnet=$$1; folder=$$2
[ -x "$$folder/python/bin/python" ] || python3 -m venv "$$folder/python"
"$$folder/python/bin/pip" install --quiet 'fhir.resources>=8,<9' 'icalendar>=6' vobject sqlite-utils
rm -rf "$$folder/out" && mkdir -p "$$folder/out"
export VETNET_PRACTICE=$$folder/out/practice.vetnet
"$$vetnet" init --time-zone Europe/London >/dev/null 2>&1
"$$vetnet" import Corpus --now 2026-11-20T18:00 >/dev/null
for words in "--out $$folder/out/records" "--format fhir --out $$folder/out/bundle.json" "--format csv --out $$folder/out/tables/"; do
  "$$vetnet" export $$words --now 2026-11-20T18:00 >/dev/null 2>&1
done
"$$vetnet" schedule export --from 2026-11-23 --now 2026-11-20T18:00 > "$$folder/out/book.ics"
INTEROP_ALL=1 "$$folder/python/bin/python" Tests/Interop/interop.py "$$folder/out"
endef
export INTEROP_RUN

interop: build
	@bash -c "$$INTEROP_RUN" interop $(VETNET) $(INTEROP)

# Sixteen programs at one practice file for a minute; make test runs the same with four for three seconds.
stress: setup
	swift build $(TESTED) --build-tests
	VETNET_STRESS_PROCESSES=16 VETNET_STRESS_SECONDS=60 $(TEST_PROGRAM) --testing-library swift-testing --filter ContentionTests

# The server killed at random while four write, two hundred times; make test does it three times.
stress-web: setup
	swift build $(TESTED) --build-tests
	VETNET_SERVER_KILLS=200 $(TEST_PROGRAM) --testing-library swift-testing --filter 'WebTests\.KillTests'

bench-web: build
	Tests/Load/bench-web.sh $(VETNET)

# Twenty practices with one process beside one practice, in the same run (PRACTICES=… CLIENTS=…).
bench-practices: build
	Tests/Load/bench-practices.sh $(VETNET)

# A thousand single bits of a practice file, each on a fresh copy; make test flips sixty.
bitflips: setup
	swift build $(TESTED) --build-tests
	VETNET_BITFLIPS=1000 $(TEST_PROGRAM) --testing-library swift-testing --filter BitFlipTests

# Real processes, killed at every step in which they write and at random times, each kind of step failing in turn, and the power
# cut; make test does a few dozen of each. What was done and lost is kept, a line for each piece of work.
KILLS ?= 10000
SOAK_RUN := $(CURDIR)/$(RUNS)/$(shell date -u +%F)-$(shell nproc)-core-linux
soak: build
	swift build $(TESTED) --build-tests
	mkdir -p $(SOAK_RUN) && rm -f $(SOAK_RUN)/kill-sweep.jsonl
	VETNET_SOAK_KILLS=$(KILLS) VETNET_SOAK_PROGRAM=$(CURDIR)/$(VETNET) VETNET_SOAK_REPORT=$(SOAK_RUN)/kill-sweep.jsonl \
	  $(TEST_PROGRAM) --testing-library swift-testing --filter 'KillSweepTests|FaultLoopTests|MigrationKillTests|EncryptedSweepTests|PowerCutTests|CrashTests'
	$(MAKE) soak-sync

# Devices that work apart and sync by a bad network, of a seed of its own, shared among as many processes as there are cores; and syncs of
# real processes, ended at each step. What they came to is a line for each process.
SCHEDULES ?= 10000
SYNC_SEED ?= 2
SYNC_KILLS ?= 200
SYNC_JOBS ?= $(shell nproc)
SYNC_RUN = $(CURDIR)/$(RUNS)/$(shell date -u +%F)-$(shell nproc)-core-linux
soak-sync: setup
	swift build $(TESTED) --build-tests
	mkdir -p "$(SYNC_RUN)"
	Tests/Load/soak-sync.sh "$$(swift build $(TESTED) --show-bin-path)/VetNetPackageTests.xctest" \
	  $(SCHEDULES) $(SYNC_SEED) $(SYNC_JOBS) "$(SYNC_RUN)/sync-schedules.jsonl"
	VETNET_SYNC_KILLS=$(SYNC_KILLS) $(TEST_PROGRAM) --testing-library swift-testing --filter SyncKillTests

bench-sync: setup
	swift build $(TESTED) --build-tests
	mkdir -p "$(SYNC_RUN)"
	VETNET_SYNC_BENCH="$(SYNC_RUN)/sync-day.json" $(TEST_PROGRAM) --testing-library swift-testing --filter SyncBenchTests

# Files, questions and messages made up for each reader, TIMES as many as make test makes, of another seed; a reader that is ended
# leaves what it read last in .build/fuzz.
TIMES ?= 100
FUZZ_SEED ?= 2
fuzz: setup
	swift build $(TESTED) --build-tests
	mkdir -p .build/fuzz
	VETNET_FUZZ_TIMES=$(TIMES) VETNET_FUZZ_SEED=$(FUZZ_SEED) VETNET_FUZZ_LAST=$(CURDIR)/.build/fuzz $(TEST_PROGRAM) --testing-library swift-testing --filter FuzzTests

# The same readers under the toolchain's libFuzzer, which goes on from the inputs that took a reader where none had been: each reader,
# or TARGET alone, for SECONDS. Every run is a line in the folder of the day's runs. libfuzzer-keep puts what leads furthest into the
# kept corpus, which make test reads.
SECONDS ?= 60
TARGET ?=
FUZZ_REPORT ?= $(SOAK_RUN)/libfuzzer.tsv
LIBFUZZER = $(shell swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/clang/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a
define BUILD_LIBFUZZER
VETNET_LIBFUZZER=$(LIBFUZZER) swift build -c release --scratch-path .build/libfuzzer --product LibFuzzer \
  -Xswiftc -Xfrontend -Xswiftc -sanitize=fuzzer -Xswiftc -assert-config -Xswiftc Debug
endef
libfuzzer: setup
	$(BUILD_LIBFUZZER)
	Tests/LibFuzzer/fuzz.sh .build/libfuzzer/release/LibFuzzer $(FUZZ_REPORT) $(SECONDS) $(TARGET)

libfuzzer-keep: setup
	$(BUILD_LIBFUZZER)
	Tests/LibFuzzer/keep.sh .build/libfuzzer/release/LibFuzzer $(TARGET)

bench: build
	$(VETNET) bench practice --corpus Corpus --runs $(RUNS)
	$(VETNET) bench encryption --corpus Corpus --runs $(RUNS)
	$(VETNET) bench emergencies
	@bash -c "$$PEERS" peers $(VETNET) $(RUNS) $(ROWS) $(PATIENTS)

# 100,000 notes in three formats, beside sqlite-utils' insert, which comes into the environment of make interop.
bench-import: build
	@[ -x $(INTEROP)/python/bin/python ] || python3 -m venv $(INTEROP)/python
	@$(INTEROP)/python/bin/pip install --quiet sqlite-utils
	@$(INTEROP)/python/bin/python Evaluations/peers/import_rates.py $(VETNET) $(INTEROP)/python/bin/sqlite-utils .build/bench-import $(NOTES)

# Every job over many practices on processes, on Dask and on Spark, two workers of each; what comes of it has to be the same.
NETWORK := .build/network
network-test: build
	@$(MAKE) --no-print-directory setup PACKAGES="python3-venv openssl default-jre-headless"
	@[ -x $(NETWORK)/python/bin/python ] || python3 -m venv $(NETWORK)/python
	@$(NETWORK)/python/bin/pip install --quiet 'dask[distributed]' 'pyspark>=4,<5'
	@$(NETWORK)/python/bin/python Tests/Network/engines.py $(VETNET) $(NETWORK)/run Sources/Network/Drivers --report $(NETWORK)/engines.json

# Jobs over many simulated practices with one and two workers of one thread each, and one practice that grows.
NETWORK_PRACTICES ?= 200
NETWORK_NOTES ?= 5000
LARGE_PRACTICE ?= 100000,300000,1000000
bench-network: build
	mkdir -p $(SOAK_RUN)
	python3 Tests/Network/bench.py $(VETNET) $(NETWORK)/bench --practices $(NETWORK_PRACTICES) --notes $(NETWORK_NOTES) --large $(LARGE_PRACTICE) --report $(SOAK_RUN)/network.json

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
	$(VETNET) evaluate inbox Evaluations/inbox/$(SPLIT).jsonl --runs $(RUNS)
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
	for step in known-words default-model fit-triage fit-reactions fit-answers fit-names; do $(MAKE) --no-print-directory $$step || exit 1; done

fit-reactions: build
	$(VETNET) evaluate fit-reactions --models Models --out Models

fit-triage: build
	$(VETNET) evaluate fit-triage --models Models --out Models

ANSWERED := train branch-practice market-town harbour night-service valley-surgery island-clinic dockyard quarry-road \
  millbrook thornley ridgeway copperfield larkfield brackenridge cedarhollow northquay calderbank glenbrae \
  holtwood oakhanger pinfold aldermoor birchgate eastvale foxcote inverlea lindholme marlfield quenby silverdale \
  tarnbeck ullesby vexford wrenfield ashcombe coldstream deepdale elmstead farleigh greywell kelmscott langrigg \
  moorcroft norbeck oxenhope quarley redmire stonegate thurlby upwell vennmoor westerdale yewtree zealby \
  corriemuir tollgate strathkell eastgate ravenscar marchbank hexworth kilbarry
fit-answers: build
	$(VETNET) evaluate fit-answers $(ANSWERED:%=Evaluations/questions/%) --models Models --out Models

NAMED := hand practices-a practices-b practices-c practices-d
fit-names: build
	$(VETNET) evaluate fit-names $(NAMED:%=Evaluations/names/%.jsonl) --models Models --out Models

# General English is from Debian, as the libraries are.
known-words: build
	@$(MAKE) --no-print-directory setup PACKAGES="wamerican wbritish"
	$(VETNET) evaluate known-words /usr/share/dict/american-english /usr/share/dict/british-english --models Models --out Models

# Cues of the tables of understanding that no text hangs on go, families that differ in a word of a closed class become one. Tried on
# every text here that is not held back, with the sentences of the tests. Shows what would go; OUT=Models writes it.
LONGEST ?= 3
CUE_SETS := $(foreach set,train dev second unseen fourth fifth sixth seventh eighth,Evaluations/assertions/$(set).jsonl) \
  $(wildcard Evaluations/exemplars/*.jsonl) Corpus/notes.jsonl Evaluations/triage/train.jsonl Evaluations/triage/dev.jsonl \
  Evaluations/urgency/dev.jsonl Evaluations/complexity/train.jsonl Evaluations/complexity/dev.jsonl Evaluations/questions/pairs.jsonl \
  $(foreach set,train dev valley-surgery quarry-road island-clinic night-service branch-practice market-town harbour dockyard \
    abbotsmere fellside reactions-dev millbrook thornley ridgeway copperfield,Evaluations/questions/$(set)/notes.jsonl Evaluations/questions/$(set)/questions.jsonl)
cues: build
	@texts=$$(mktemp --suffix .txt) && trap 'rm -f "$$texts"' EXIT && \
	grep -rhoP '"(?:[^"\\]|\\.)* (?:[^"\\]|\\.)*"' Tests --include=*.swift | sed 's/^"//; s/"$$//; s/\\n/\n/g' | sort -u > "$$texts" && \
	tail -n +2 Models/extraction/reaction-exemplars.tsv | grep -v '^#' | cut -f6 >> "$$texts" && \
	$(VETNET) evaluate cues $(CUE_SETS) "$$texts" --models Models --longest $(LONGEST) $(if $(OUT),--out $(OUT))

# Words that are no names, from the project's own texts.
name-words:
	python3 Evaluations/names/known_words.py Corpus Models Evaluations > .build/name-words.tsv && mv .build/name-words.tsv Models/names/known-words.tsv

default-model: build
	$(VETNET) reindex --train-default Corpus --models Models --out Models/vectorizer/default.vnm

# Each fitted file by its name.
.PHONY: Models/triage/case-model.vnm Models/triage/rule-trust.tsv Models/triage/level-calibration.tsv \
  Models/triage/known-words.tsv Models/extraction/reaction-weights.tsv Models/briefing/answer-weights.tsv \
  Models/briefing/answer-translations.tsv Models/briefing/answer-replies.tsv Models/names/evidence-weights.tsv Models/vectorizer/default.vnm
Models/triage/case-model.vnm Models/triage/rule-trust.tsv Models/triage/level-calibration.tsv: fit-triage
Models/briefing/answer-weights.tsv Models/briefing/answer-translations.tsv Models/briefing/answer-replies.tsv: fit-answers
Models/extraction/reaction-weights.tsv: fit-reactions
Models/names/evidence-weights.tsv: fit-names
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
	"$(INSTALLED)/bin/vetnet" manual --out "$(INSTALLED)/share/man/man1"
	install -d "$(INSTALLED)/share/bash-completion/completions" "$(INSTALLED)/share/zsh/site-functions" "$(INSTALLED)/share/fish/vendor_completions.d"
	umask 022; "$(INSTALLED)/bin/vetnet" completions bash > "$(INSTALLED)/share/bash-completion/completions/vetnet"
	umask 022; "$(INSTALLED)/bin/vetnet" completions zsh > "$(INSTALLED)/share/zsh/site-functions/_vetnet"
	umask 022; "$(INSTALLED)/bin/vetnet" completions fish > "$(INSTALLED)/share/fish/vendor_completions.d/vetnet.fish"
	rm -rf "$(INSTALLED)/share/vetnet/Models"
	cp -R Models "$(INSTALLED)/share/vetnet/Models"
	install -d "$(INSTALLED)/share/vetnet/drivers"
	install -m 644 Sources/Network/Drivers/*.py "$(INSTALLED)/share/vetnet/drivers"
	cd "$(INSTALLED)/share/vetnet/Models" && rm -f $(TRAINING) compiled.stages
	"$(INSTALLED)/bin/vetnet" compile-models --models "$(INSTALLED)/share/vetnet/Models" --out "$(INSTALLED)/share/vetnet/Models"
	install -d "$(INSTALLED)/lib/systemd/system"
	sed 's|/usr/bin/vetnet|$(PREFIX)/bin/vetnet|' Deployment/vetnet.service > "$(INSTALLED)/lib/systemd/system/vetnet.service"
	chmod 644 "$(INSTALLED)/lib/systemd/system/vetnet.service"

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

# A Debian package of what make install puts in place. What it depends on is asked of the packages that own the libraries the
# program is linked with; OpenBLAS, libmicrohttpd and libical are loaded when they are first needed, and named beside them.
PACKAGED := .build/package
define PACKAGE
set -euo pipefail
vetnet=$$1 out=$$2
umask 022
version=$$("$$vetnet" --version | sed -n '1s/vetnet //p')
architecture=$$(dpkg --print-architecture)
root=$$(mktemp -d)
trap 'rm -rf "$$root"' EXIT
"$${MAKE:-make}" --no-print-directory -o build install VETNET="$$vetnet" DESTDIR="$$root" PREFIX=/usr >/dev/null
mkdir -p "$$root/usr/share/zsh/vendor-completions"
mv "$$root/usr/share/zsh/site-functions/_vetnet" "$$root/usr/share/zsh/vendor-completions/"
rmdir "$$root/usr/share/zsh/site-functions"
find "$$root" -type d -exec chmod 755 {} +
find "$$root/usr/share" -type f -exec chmod 644 {} +
gzip -9n "$$root"/usr/share/man/man1/*.1
documents=$$root/usr/share/doc/vetnet
install -d "$$documents"
gzip -9nc CHANGELOG.md > "$$documents/changelog.gz"
install -m 644 README.md SECURITY.md "$$documents/"
{ printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: VetNet\n\nFiles: *\nCopyright: %s\nLicense: Expat\n' \
    "$$(sed -n 's/^Copyright (c) //p' LICENSE)"; sed -n '5,$$p' LICENSE | sed 's/^$$/./; s/^/ /'; } > "$$documents/copyright"
libraries=$$(ldd "$$root/usr/bin/vetnet" | sed -n 's/.*=> \(\/[^ ]*\).*/\1/p')
if grep -q '/libswift' <<< "$$libraries"; then echo "the program needs Swift's libraries: build it with --static-swift-stdlib" >&2; exit 1; fi
needed=$$(objdump -p "$$vetnet" 2>/dev/null | sed -n 's/^ *NEEDED *//p' || true)
depends="libical3, libmicrohttpd12, libopenblas0, tzdata"
while read -r library; do
  if [ -n "$$needed" ] && ! grep -qxF "$$(basename "$$library")" <<< "$$needed"; then continue; fi
  owner=$$({ dpkg-query -S "$$(readlink -f "$$library")" "*$$library" 2>/dev/null || true; } | sed 's/:.*//' | sort -u | head -1)
  [ -n "$$owner" ] || { echo "no package owns $$library" >&2; exit 1; }
  case ", $$depends," in *", $$owner"*) ;; *) depends="$$depends, $$owner (>= $$(dpkg-query -W -f='$${Version}' "$$owner" | sed 's/[-+~][^-+~]*$$//'))" ;; esac
done <<< "$$libraries"
install -d "$$root/DEBIAN"
cat > "$$root/DEBIAN/control" <<CONTROL
Package: vetnet
Version: $$version
Architecture: $$architecture
Maintainer: The VetNet authors <vetnet@localhost>
Installed-Size: $$(du -sk "$$root/usr" | cut -f1)
Depends: $$depends
Recommends: libzip4 | libzip5, libexpat1, poppler-utils, libfido2-1, libvips42, libcurl4
Section: science
Priority: optional
Description: local case analysis for a veterinary practice
 Reads a practice's notes on the practice's own machine and answers from them:
 questions about a patient's history with citations, the urgency of a call
 with the words it rests on, a brief before every appointment, and a plan for
 the day. It supports decisions; it makes no diagnosis.
CONTROL
(cd "$$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) > "$$root/DEBIAN/md5sums"
mkdir -p "$$out"
export SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 0)
dpkg-deb --root-owner-group -Zxz -z4 --build "$$root" "$$out/vetnet_$${version}_$${architecture}.deb" >/dev/null
dpkg-deb --info "$$out/vetnet_$${version}_$${architecture}.deb" | sed -n '/Package:/,$$p'
echo "$$out/vetnet_$${version}_$${architecture}.deb"
endef
export PACKAGE

package: build
	@bash -c "$$PACKAGE" package $(VETNET) $(PACKAGED)

# The package in a bare Debian, with nothing of this machine: installed by apt with what it depends on, used, removed. Needs root
# and a Debian archive in reach.
SUITE ?= $(shell . /etc/os-release && echo $$VERSION_CODENAME)
ARCHIVE ?= http://deb.debian.org/debian
define CHECK_PACKAGE
set -euo pipefail
out=$$1 suite=$$2 archive=$$3
package=$$(ls -t "$$out"/vetnet_*.deb | head -1)
root=$$(mktemp -d)
trap 'umount "$$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$$root"' EXIT
debootstrap --variant=minbase "$$suite" "$$root" "$$archive" >"$$root.log" 2>&1 || { tail -5 "$$root.log" >&2; exit 1; }
rm -f "$$root.log"
# Seen by this process only.
mount -t proc proc "$$root/proc"
cp "$$package" "$$root/tmp/vetnet.deb"
mkdir "$$root/tmp/corpus" && cp Corpus/*.jsonl "$$root/tmp/corpus/"
inside() { chroot "$$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$$@"; }
if inside sh -c 'command -v swift || command -v vetnet' >/dev/null; then echo "the root is not bare" >&2; exit 1; fi
inside apt-get install -y -qq --no-install-recommends -o APT::Sandbox::User=root /tmp/vetnet.deb >/dev/null 2>&1
inside vetnet --version
inside vetnet init --name Check --time-zone Europe/London
inside vetnet import /tmp/corpus --now 2026-11-20T18:00 | tail -1
inside vetnet ask "why was meloxicam stopped?" --patient P001 --now 2026-11-20T18:00 | grep "NSAID gastropathy"
inside vetnet similar --text "vomiting dog, dark stools" --json --now 2026-11-20T18:00 | grep -q '"hits":\[{'
inside vetnet schedule free --at "tomorrow 9:30" --now 2026-11-23T09:00 | grep -q "Helen Marsh"
# What is loaded when it is needed is there, too.
inside timeout -s INT 5 vetnet serve --listen 127.0.0.1:18417 > "$$root/tmp/served" 2>&1 || true
grep -q "http://127.0.0.1:" "$$root/tmp/served" || { cat "$$root/tmp/served" >&2; exit 1; }
inside bash -c '. /usr/share/bash-completion/completions/vetnet; COMP_WORDS=(vetnet sched); COMP_CWORD=1; _vetnet; [ "$$COMPREPLY" = schedule ]'
inside sh -c 'zcat /usr/share/man/man1/vetnet-ask.1.gz | head -1 | grep -q "^.TH"'
inside apt-get purge -y -qq vetnet >/dev/null 2>&1
left=$$(inside sh -c 'find / -xdev -path /proc -prune -o -name "*vetnet*" -print' | grep -v '^/tmp/\|^/var/\(log\|cache\|lib\)/\|^/root/' || true)
[ -z "$$left" ] || { echo "left behind: $$left" >&2; exit 1; }
inside sh -c 'test -s /root/.local/share/vetnet/practice.vetnet'
echo "The package installs, works and goes; the practice file stays."
endef
export CHECK_PACKAGE

check-package: package
	@$(MAKE) --no-print-directory setup PACKAGES=debootstrap
	@unshare --mount bash -c "$$CHECK_PACKAGE" check $(PACKAGED) $(SUITE) $(ARCHIVE)

# The unit, started by systemd in a throw-away copy of this system. Needs root.
check-service: build
	@$(MAKE) --no-print-directory setup PACKAGES="systemd curl iproute2 python3"
	Tests/Service/check-unit.sh $(VETNET) Models Deployment/vetnet.service

# The container file, built and run by podman on an image made from Debian's archive. Needs root.
check-container: package
	@$(MAKE) --no-print-directory setup PACKAGES="podman debootstrap openssl curl"
	Tests/Service/check-container.sh "$$(ls -t $(PACKAGED)/vetnet_*.deb | head -1)" Deployment/Containerfile $(SUITE) $(ARCHIVE)

# The Model Context Protocol's reference client, installed for this only, into an environment that is thrown away.
interop: interop-mcp
define INTEROP_MCP
set -euo pipefail
vetnet=$$1
folder=$$(mktemp -d)
trap 'rm -rf "$$folder"' EXIT
python3 -m venv "$$folder/python"
"$$folder/python/bin/pip" install -q 'mcp>=2'
export PYTHONDONTWRITEBYTECODE=1
"$$vetnet" init --practice "$$folder/p.vetnet" --time-zone Europe/London 2>/dev/null
"$$vetnet" import Corpus --practice "$$folder/p.vetnet" --now 2026-11-20T18:00 >/dev/null
"$$folder/python/bin/python" Evaluations/interop/mcp_client.py "$$vetnet" "$$folder/p.vetnet" Models
endef
export INTEROP_MCP

interop-mcp: build
	@bash -c "$$INTEROP_MCP" interop $(VETNET)

# The articles with the pages of every library's public symbols, by the toolchain's docc; VetNet's own may have no link that leads
# nowhere. A link from one library's comment to another's symbol is not followed.
DOCUMENTED := .build/documentation
LIBRARIES := $(filter-out VetNetCLI,$(sort $(foreach file,$(wildcard Sources/*/*.swift Sources/*/*/*.swift),$(word 2,$(subst /, ,$(file))))))
define DOCS
set -euo pipefail
out=$$1; shift
work=$$(mktemp -d)
trap 'rm -rf "$$work"' EXIT
built=$$(swift build --show-bin-path)
modules=$$built/Modules
# Of C sources that are built here the module maps lie among what was built.
maps=$$(printf -- '-Xcc -fmodule-map-file=%s ' "$$built"/C*.build/module.modulemap)
target=$$(swiftc -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)",/\1/p')
for module in "$$@"; do
  mkdir "$$work/$$module"
  swift-symbolgraph-extract -module-name "$$module" -I "$$modules" $$(printf -- '-I %s ' Sources/C*/module.modulemap | sed 's:/module.modulemap::g') \
    $$maps -target "$$target" -minimum-access-level public -output-dir "$$work/$$module"
  if [ "$$module" = VetNet ]; then
    docc convert Sources/VetNet/VetNet.docc --additional-symbol-graph-dir "$$work/$$module" --fallback-display-name "$$module" \
      --fallback-bundle-identifier "org.vetnet.$$module" --output-path "$$work/$$module.doccarchive" --transform-for-static-hosting \
      --diagnostic-level warning --warnings-as-errors
  else
    docc convert --additional-symbol-graph-dir "$$work/$$module" --fallback-display-name "$$module" \
      --fallback-bundle-identifier "org.vetnet.$$module" --output-path "$$work/$$module.doccarchive" --transform-for-static-hosting \
      --diagnostic-level error
  fi
done
rm -rf "$$out"
docc merge "$$work"/*.doccarchive --synthesized-landing-page-name VetNet --output-path "$$out"
test -s "$$out/documentation/vetnet/tutorial/index.html"
for module in "$$@"; do test -s "$$out/documentation/$${module,,}/index.html"; done
test -s "$$out/documentation/vetnet/practice/index.html"
echo "$$out/documentation/vetnet/index.html"
endef
export DOCS

docs: setup
	swift build $(TESTED) --product vetnet
	@bash -c "$$DOCS" docs "$(DOCUMENTED)" $(LIBRARIES)

clean:
	rm -rf .build
