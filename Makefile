# Everything a developer does, from a fresh clone on: `make help`.
# Options are variables: `make demo SEED=7`, `make test TESTS=tests/cli`, `make arena ARENA_GAMES=4000`.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules
# Where it is set, hundreds of processes would each compile every module anew.
unexport PYTHONDONTWRITEBYTECODE

PYTHON ?=
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
TESTS ?= tests examples
# One more than there are processors: some tests wait for a program or a browser, and the others use that time.
WORKERS ?= $(shell $(BIN)/python -c "import os; print(os.cpu_count() + 1)")
SEED ?=
GAMES ?= 1
FIGURES ?=
WRITE ?=
ARENA_GAMES ?= 1000
MUTATION_SEED ?= 1
MUTATION_COUNT ?= 100000
TIMING_COUNT ?= 100000
MATCHES ?= 3
SHUFFLES ?= 1000
RULES_COUNT ?= 2000
ORDERS ?= 100000
ARENA_SEED ?= 1
HALF_DAYS ?= 60
HALF_DAY_GAMES ?= 400

# Every target that has a line of help, since some are called as a folder is.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*\#\#.*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sort | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

# The first Python on the path that is new enough; PYTHON=… names one instead.
$(BIN)/python:
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python); do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    $$python -m venv $(VENV) && exit 0; \
	    rm -rf $(VENV); \
	    echo "$$python cannot make a virtual environment: install its venv module (Debian: apt install python3-venv)." >&2; \
	    exit 1; \
	  fi; \
	done; \
	echo "P2P Stratego needs Python 3.11 or newer, and $(if $(PYTHON),$(PYTHON) is not that,none was found): install one, or name it with make PYTHON=/path/to/python3." >&2; \
	exit 1

# The pip of a new environment may be too old for dependency groups and build constraints.
$(VENV)/.pip: constraints.txt | $(BIN)/python
	@$(PIP) install --upgrade --constraint constraints.txt pip
	@touch $@

$(VENV)/.installed: pyproject.toml constraints.txt $(VENV)/.pip
	@echo "Installing into $(VENV) ..." >&2
	@$(PIP) install --constraint constraints.txt --build-constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.installed
	@$(PIP) install --constraint constraints.txt --build-constraint constraints.txt --group dev --editable ".[research,pictures]"
	@touch $@

$(VENV)/.fuzz: $(VENV)/.dev
	@$(PIP) install --constraint constraints.txt --group fuzz
	@touch $@

$(VENV)/.archive: $(VENV)/.dev
	@$(PIP) install --constraint constraints.txt --build-constraint constraints.txt --group archive --editable ".[archive,cluster]"
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	@$(PIP) install --constraint constraints.txt --group docs
	@touch $@

install: $(VENV)/.installed ## create .venv with the command p2p-stratego in it
	@echo "Ready: $(BIN)/p2p-stratego --help"

demo: $(VENV)/.installed ## two bots play over the network, then both records are audited (GAMES=1 SEED=)
	@$(BIN)/p2p-stratego demo --home $(VENV)/home --games $(GAMES) $(if $(SEED),--seed $(SEED))

test: $(VENV)/.dev ## all tests (TESTS=tests/cli WORKERS=2)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

load: $(VENV)/.dev ## load all tests once: where none was compiled, each worker of `make test` compiles all of them
	@loaded=$$($(BIN)/python -m pytest -qq --collect-only $(TESTS)) || { echo "$$loaded"; exit 1; }

archive: $(VENV)/.archive ## the tests of archives of records, with their extras; a cluster of three Ray nodes among them
	@ARCHIVE=1 $(BIN)/python -m pytest -n 2 --dist worksteal tests/archive

archive-bench: $(VENV)/.archive ## rates and memory of an archive of different records by bots (RECORDS=1000)
	@$(BIN)/python -m benchmarks.archive --records $(or $(RECORDS),1000)

archive-questions: $(VENV)/.archive ## reports and the explorer over a table of so many matches (ROWS=100000, GAME=spies-and-lies)
	@$(BIN)/python -m benchmarks.archive_questions --rows $(or $(ROWS),100000) --game $(or $(GAME),spies-and-lies)

test-quick: $(VENV)/.dev ## the tests nearest to what differs from main, within 40 seconds (SINCE=HEAD LIMIT=40)
	@$(BIN)/python -m tests.quick $(if $(SINCE),--since $(SINCE)) --seconds $(or $(LIMIT),40)

thorough: $(VENV)/.dev ## all tests, and all of those of which `make test` takes a share (TESTS=tests/protocol WORKERS=auto)
	@THOROUGH=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(TESTS)

CHECKS := check-format check-lint check-types check-floors check-vectors check-words check-page
.PHONY: $(CHECKS)
# LATER=check-floors: of these, what `make test` does again right after, as in .ci/run.
check: $(filter-out $(LATER),$(CHECKS)) ## format, lint, types, floors, vectors and catalogues as generated (make -j2 -O check: side by side)
$(CHECKS): $(VENV)/.dev

check-format:
	@$(BIN)/ruff format --check .

check-lint:
	@$(BIN)/ruff check .

check-types:
	@$(BIN)/mypy

check-floors:
	@$(BIN)/python -m pytest -q tests/test_layers.py

check-vectors:
	@$(BIN)/python -m tests.vectors.generate --check

check-words:
	@$(BIN)/python -m tests.words.generate --check

check-page:
	@$(BIN)/python -m cli.page.generate --check

format: $(VENV)/.dev ## rewrite the sources as `check` wants them
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

coverage: $(VENV)/.dev ## branch coverage of rules and protocol, at least 95 %
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --cov --cov-report=term --cov-fail-under=95 $(TESTS)

constraints: $(VENV)/.dev ## pin the newest versions that fit pyproject.toml
	@rm -rf build/fresh && $(BIN)/python -m venv build/fresh
	@build/fresh/bin/python -m pip install --quiet --upgrade pip
	@build/fresh/bin/python -m pip install --quiet --group dev --group docs --group fuzz --group archive ".[research,pictures,archive,cluster]" hatchling
	@{ grep '^#' constraints.txt; build/fresh/bin/python -m pip freeze --all --exclude p2p-stratego --exclude setuptools | sort -f; } > build/constraints.txt
	@mv build/constraints.txt constraints.txt && rm -rf build

bench: $(VENV)/.dev ## figures beside floors of the same run; fails if a target is missed (FIGURES=audit WRITE=)
	@$(BIN)/python -m benchmarks $(FIGURES) $(if $(WRITE),--write)

CONTEST := $(BIN)/p2p-stratego --home $(VENV)/home arena --seed $(ARENA_SEED)
arena: $(VENV)/.dev ## agent against recruit, by the rules alone (ARENA_GAMES=1000 ARENA_SEED=1)
	@$(CONTEST) --games $(ARENA_GAMES) --at-least 0.75
	@for seats in 3 4; do $(CONTEST) --seats $$seats --games $(ARENA_GAMES) --at-least 0.75; done
	@$(CONTEST) stratego --army quickplay --games $$(( $(ARENA_GAMES) / 5 )) --at-least 0.95
	@$(CONTEST) stratego --army classic --games $$(( $(ARENA_GAMES) / 5 )) --at-least 0.95
	@$(CONTEST) conquest --seats 2 --games $$(( $(ARENA_GAMES) / 5 )) --at-least 0.9
	@$(CONTEST) conquest --seats 4 --games $$(( $(ARENA_GAMES) / 5 )) --at-least 0.6
	@for seats in 2 3 4 5; do $(CONTEST) spies --seats $$seats --games $$(( $(ARENA_GAMES) / 20 )) --at-least 0.9; done
	@$(BIN)/python -m benchmarks.bots.ladder --shipped

ladder: $(VENV)/.dev ## all bots of every game against each other, and their ratings; goes on where it stopped (ROUNDS=20 PART=1/2)
	@$(BIN)/python -m benchmarks.bots.ladder --rounds $(or $(ROUNDS),20) --seed $(or $(LADDER_SEED),1) --kept $(VENV)/ladder \
	  $(if $(PART),--part $(PART),--write)

coach: $(VENV)/.dev ## what the coach of each game says beside bots: how often it repeats itself or tells a rule (COACH_GAMES=4)
	@$(BIN)/python -m benchmarks.bots.coach --games $(or $(COACH_GAMES),4)

apart: $(VENV)/.dev ## whether each opponent can be told from the others by what the table tells of three of its games (APART_GAMES=45)
	@$(BIN)/python -m benchmarks.bots.apart --games $(or $(APART_GAMES),45)

halfdays: $(VENV)/.dev ## the equilibrium of Spies & Lies: its gap, a best responder, a series, a baiter (HALF_DAYS=60 ARENA_SEED=1)
	@$(BIN)/python -m benchmarks.bots.half_days gap --count $(HALF_DAYS) --seed $(ARENA_SEED)
	@$(BIN)/python -m benchmarks.bots.half_days known --count $(HALF_DAY_GAMES) --seed $(ARENA_SEED)
	@$(BIN)/python -m benchmarks.bots.half_days series --first equilibrium --count $(HALF_DAY_GAMES) --seed $(ARENA_SEED)
	@$(BIN)/python -m benchmarks.bots.half_days series --count 60 --seed $(ARENA_SEED)
	@$(BIN)/python -m benchmarks.bots.half_days bait --count 60 --seed $(ARENA_SEED)

prospects: $(VENV)/.dev ## fit the chances to win of Stratego, Conquest and SPIES! to games of the bots, and test it in others (GAMES_EACH=500)
	@$(BIN)/python -m benchmarks.bots.conquest_prospects
	@$(BIN)/python -m benchmarks.bots.spies_prospects
	@$(BIN)/python -m benchmarks.bots.prospects --games $(or $(GAMES_EACH),500) --tests $(or $(TESTS_EACH),200)

evidence: $(VENV)/.dev ## fit what closed pieces of Stratego betray to games of many styles, and test it in others (GAMES_EACH=400)
	@$(BIN)/python -m benchmarks.bots.evidence --games $(or $(GAMES_EACH),400) --tests $(or $(TESTS_EACH),24)

puzzles: $(VENV)/.dev ## puzzles out of games of the bots, solved by counting and rated; goes on where it stopped (COUNT=300 SEED=1 CHECK=1: solve the shipped ones anew)
	@$(BIN)/python -m benchmarks.bots.puzzles --count $(or $(COUNT),300) --seed $(or $(SEED),1) --kept $(VENV)/puzzles $(if $(CHECK),--check)

vectors: $(VENV)/.dev ## write the vectors anew, after an intended change of the protocol
	@$(BIN)/python -m tests.vectors.generate

conformance: $(VENV)/.dev ## the kit for other implementations as one archive, in build/: specification, vectors, runner, forged matches
	@mkdir -p build && $(BIN)/python -m conformance.archive build

conform: $(VENV)/.dev ## an auditor against fresh forged matches (AUDITOR="./my-auditor" COUNT=300 SEED=)
	@seed=$(or $(SEED),$$(date +%s)); folder=build/forged/$$seed; rm -rf $$folder; echo "SEED=$$seed"; \
	  $(BIN)/python -m conformance.forge --seed $$seed --count $(or $(COUNT),300) $$folder; \
	  $(BIN)/python -m conformance.run $(STEADY) --cases $$folder -- $(or $(AUDITOR),$(BIN)/p2p-stratego --home $(VENV)/home audit --json)

AUDITOR_TS := conformance/auditor
$(AUDITOR_TS)/build/main.js: $(AUDITOR_TS)/package.json $(AUDITOR_TS)/tsconfig.json $(wildcard $(addprefix $(AUDITOR_TS)/src/,*.ts crypto/*.ts games/*.ts games/spies/*.ts))
	@cd $(AUDITOR_TS) && npm install --silent --no-audit --no-fund && npx --no-install tsc

auditor: $(VENV)/.dev $(AUDITOR_TS)/build/main.js ## the auditor in TypeScript on all vectors and on fresh forged matches (COUNT=300 SEED=); needs Node 20 and npm
	@node $(AUDITOR_TS)/build/vectors.js conformance/vectors
	@$(BIN)/python -m conformance.run --steady -- node $(AUDITOR_TS)/build/main.js --steady
	@$(MAKE) --no-print-directory conform STEADY=--steady AUDITOR="node $(AUDITOR_TS)/build/main.js --steady" COUNT=$(or $(COUNT),300) $(if $(SEED),SEED=$(SEED))

PLAYER_TS := conformance/player
$(PLAYER_TS)/build/main.js: $(AUDITOR_TS)/build/main.js $(PLAYER_TS)/package.json $(PLAYER_TS)/tsconfig.json $(wildcard $(PLAYER_TS)/src/*.ts)
	@cd $(AUDITOR_TS) && npx --no-install tsc --project ../player

player: $(VENV)/.dev $(PLAYER_TS)/build/main.js ## the player in TypeScript, or another, against ours: whole matches, then cheats (PLAYER="./my-player" ONLY="false-*"); needs Node 20 and npm
	@node $(PLAYER_TS)/build/vectors.js conformance/vectors
	@$(BIN)/python -m conformance.meet --program $(BIN)/p2p-stratego --jobs 2 --auditor "node $(AUDITOR_TS)/build/main.js" \
	  $(if $(ONLY),--only "$(ONLY)") -- $(or $(PLAYER),node $(PLAYER_TS)/build/main.js)

words: $(VENV)/.dev ## take the sentences for people from the sources into the catalogues of translations
	@$(BIN)/python -m tests.words.generate

mutations: $(VENV)/.dev ## spoil transcripts, alone and in pairs, and audit them (MUTATION_SEED=1 MUTATION_COUNT=100000)
	@$(BIN)/python -m tests.campaigns.mutations --seed $(MUTATION_SEED) --count $(MUTATION_COUNT)

chaos: $(VENV)/.dev ## matches between processes that are killed, cut off and given a failing disk (SEED=1 MATCHES=3 JOBS=1)
	@$(BIN)/python -m tests.campaigns.chaos --seed $(or $(SEED),1) --matches $(MATCHES) --jobs $(or $(JOBS),1)

tables: $(VENV)/.dev ## the same at tables of three to five, which somebody may leave for good (SEED=1 MATCHES=3 JOBS=1)
	@$(BIN)/python -m tests.campaigns.tables --seed $(or $(SEED),1) --matches $(MATCHES) --jobs $(or $(JOBS),1)

simulate: $(VENV)/.dev ## whole matches under one seed: network, disks, processes, clocks, chance (SEED=1 SEEDS=200 JOBS=1; SEEDS=1 LOG=/tmp/log: one, with all that happens)
	@PYTHONHASHSEED=0 $(BIN)/python -m tests.campaigns.simulate --seed $(or $(SEED),1) --seeds $(or $(SEEDS),200) \
	  --jobs $(or $(JOBS),1) $(if $(LOG),--log $(LOG))

failures: $(VENV)/.dev ## each call of the system in a match fails once, with each error that it can have (EVERY=1 JOBS=1)
	@PYTHONHASHSEED=0 $(BIN)/python -m tests.campaigns.simulate.failures --every $(or $(EVERY),1) --jobs $(or $(JOBS),1)

explore: $(VENV)/.dev ## real seats against forging ones under random schedules (SEED=1 COUNT=200 JOBS=1 ARENA= STEPS=)
	@$(BIN)/python -m tests.campaigns.explore --seed $(or $(SEED),1) --count $(or $(COUNT),200) --jobs $(or $(JOBS),1) \
	  $(if $(ARENA),--arena $(ARENA)) $(if $(STEPS),--steps $(STEPS))

worlds: $(VENV)/.dev ## all that can happen at small tables with one and two liars (BUDGET=600 SEATS=3 EVERY=6, FEW=1: a few, in seconds)
	@$(BIN)/python -m tests.campaigns.worlds --budget $(or $(BUDGET),600) --seats $(or $(SEATS),3) --every $(or $(EVERY),6) $(if $(FEW),--few)

model: $(VENV)/.dev ## the rules of Silence as a model for Spin, of three and four seats; and that it finds a weaker rule (needs spin, cc)
	@$(BIN)/python -m tests.campaigns.silence_model

salts: $(VENV)/.dev ## a million salts, no two the same
	@$(BIN)/python -m tests.campaigns.salts

hostile: $(VENV)/.dev ## records that all seats forged together, through every command that reads records (SEED=1 COUNT=2000)
	@$(BIN)/python -m tests.campaigns.hostile --seed $(or $(SEED),1) --count $(or $(COUNT),2000)

fuzz: $(VENV)/.fuzz ## every reader of bytes from elsewhere, fed by a fuzzer led by coverage (TARGET=value SECONDS=60 SEED=1)
	@$(BIN)/python -m tests.campaigns.fuzz --kept $(VENV)/fuzz --seconds $(or $(SECONDS),60) --seed $(or $(SEED),1) \
	  $(if $(TARGET),--target "$(TARGET)")

crooked: $(VENV)/.dev ## shuffles of cards by cheats, each to be refused (SEED=1 SHUFFLES=1000)
	@$(BIN)/python -m tests.campaigns.shuffles crooked --seed $(or $(SEED),1) --count $(SHUFFLES)

orders: $(VENV)/.dev ## whether shuffled decks come in every order equally often (ORDERS=100000)
	@$(BIN)/python -m tests.campaigns.shuffles orders --count $(ORDERS)

pages: $(VENV)/.dev ## spoilt and forged transcripts, judged by the page and by the audit, and so many of each game and profile (SEED=1 COUNT=2000 EACH=100)
	@$(BIN)/python -m tests.campaigns.page_verdicts --seed $(or $(SEED),1) --count $(or $(COUNT),2000)
	@$(BIN)/python -m tests.campaigns.page_verdicts --seed $(or $(SEED),1) --count $(or $(EACH),100) --each

pagerules: $(VENV)/.dev ## the page's rules in JavaScript against those in Python (SEED=1 RULES_COUNT=2000)
	@$(BIN)/python -m tests.campaigns.page_rules --seed $(or $(SEED),1) --count $(RULES_COUNT)

pagematches: $(VENV)/.dev ## random whole matches, judged by the audit and by the page (SEED=1 RULES_COUNT=2000)
	@$(BIN)/python -m tests.campaigns.page_matches --seed $(or $(SEED),1) --count $(RULES_COUNT)

privacy: $(VENV)/.dev ## whether lengths, times, exports, logs or core files betray what is hidden (STEPS=300 TIMING_COUNT=100000)
	@$(BIN)/python -m tests.campaigns.lengths --steps $(or $(STEPS),300)
	@$(BIN)/python -m tests.campaigns.canaries
	@$(BIN)/python -m tests.campaigns.timing --count $(TIMING_COUNT)

soak: $(VENV)/.dev ## what long runs hold on to: matches in two processes, a relay with pairs, a day of wait (MATCHES=100 PAIRS=100 MINUTES=1)
	@$(BIN)/python -m tests.campaigns.soak matches --count $(if $(filter command,$(origin MATCHES)),$(MATCHES),100)
	@$(BIN)/python -m tests.campaigns.soak relay --count $(or $(PAIRS),100) --minutes $(or $(MINUTES),1)
	@$(BIN)/python -m tests.campaigns.soak wait

timing: $(VENV)/.dev ## whether the time of a reply betrays its secret (TIMING_COUNT=100000)
	@$(BIN)/python -m tests.campaigns.timing --count $(TIMING_COUNT)

cost: $(VENV)/.dev ## CPU and longest hold of each kind of frame, in its worst forms (SEED=1 COUNT=4)
	@$(BIN)/python -m tests.campaigns.cost --seed $(or $(SEED),1) --count $(or $(COUNT),4)

flood: $(VENV)/.dev ## friends, a returning player and a match beside RATE=3000 connections a second (loopback)
	@$(BIN)/python -m tests.campaigns.flood --rate $(or $(RATE),3000)

reach: $(VENV)/.dev ## matches between homes behind routers, in namespaces of their own (needs unshare, ip, nft)
	@$(BIN)/python -m tests.campaigns.reach

golden: $(VENV)/.dev ## write playthroughs, screens, dialogues, sentences and chronicles anew, after an intended change of rules or words
	@$(BIN)/python -m tests.golden
	@GOLDEN=1 $(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile $$(grep -rlE "from tests.golden[. ]" --include="test_*.py" tests)

picture: $(VENV)/.dev ## draw docs/*.svg from the running program, and docs/page*.webp from Chromium
	@$(BIN)/python docs/faces.py
	@$(BIN)/python docs/picture.py
	@PYTHONPATH=. $(BIN)/python docs/turning.py
	@PYTHONPATH=. $(BIN)/python docs/page_picture.py

docs: $(VENV)/.docs ## the site of README, docs/ and spec/, in build/site; a link that leads nowhere stops it
	@$(BIN)/python docs/site.py

clean: ## remove the environment and all that was generated
	@rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.* htmlcov
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
