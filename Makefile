# make, or make help, lists the targets. Each NAME=value below can be set on the command line.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORES ?= $(shell nproc)
SECONDS ?= 60
GAME ?= starweb
WEEKS ?= 3
SEED ?=
DB ?= sqlite
TESTS ?=
GAMES ?= 1000
LETTERS ?= 10000
BASE ?=
FROM ?=

.DEFAULT_GOAL := help
.PHONY: help demo play test test-all check lint faults deb install-check fuzz soak golden tournament record keep bench bench-against bench-daemon bench-flood bench-storm bench-growth storm storm-intake lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/ready ## watch GAME=starweb being played by email
	$(BIN)/referee demo $(GAME)

play: $(VENV)/ready ## play GAME=starweb against robots, at this terminal
	@$(BIN)/referee play $(GAME)

# A worker takes few tests at once, so that all finish together. What Python compiles of the program
# is kept even where the environment says otherwise: the tests start it many times.
PYTEST = TEST_DATABASE=$(DB) PYTHONDONTWRITEBYTECODE= \
    $(BIN)/python -m pytest -n $(CORES) --maxschedchunk 8

test: $(VENV)/ready ## the tests but for the slow ones; TESTS=tests/store for all of some, DB=postgresql
	$(PYTEST) $(if $(TESTS),,-m "not slow") --hypothesis-profile=few $(TESTS)

test-all: $(VENV)/ready ## all tests, with all examples; before a release
	$(PYTEST) $(TESTS)

check: lint test ## make lint, and make test

lint: $(VENV)/ready ## format, lint, spelling, types, and who imports whom
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/codespell
	$(BIN)/mypy --num-workers $(CORES)
	$(BIN)/lint-imports

faults: $(VENV)/ready ## kill the referee at every point of a conversation
	FAULTS=all $(BIN)/python -m pytest tests/exactly_once tests/testing/test_faults.py

# For the Python of this Debian, in dist/. Needs no root, but dpkg-deb and Debian's python3.
deb: $(VENV)/ready ## build the Debian package
	rm -f dist/referee_*.deb
	$(BIN)/python -m deploy.release.deb

# Every command of deploy/install.md in a fresh Debian that systemd boots, and what the unit must
# survive there: as root, with debootstrap, systemd-nspawn and the network. The package of an earlier
# release, FROM=referee_1.0.0_amd64.deb, is installed by the page, and the new one upgrades it.
install-check: deb ## try the package and every command of deploy/install.md in a fresh Debian
	$(PYTHON) -m tests.support.installing $$(mktemp -d)/debian $(FROM)

fuzz: $(VENV)/ready ## feed damaged emails, orders and settings, new in each run, for SECONDS=60
	$(BIN)/python -m tests.fuzz $(SECONDS)

soak: $(VENV)/ready ## play twenty games for WEEKS=3 under random failures; SEED= repeats them
	$(BIN)/python -m tests.soak $(WEEKS) $(SEED)

golden: $(VENV)/ready ## play the golden games again from their order sheets; check the difference before you commit it
	$(BIN)/referee golden --write

tournament: GAMES = 200
tournament: $(VENV)/ready ## let the robots of GAME=starweb play GAMES=200, hard against normal and normal against easy
	$(BIN)/referee tournament $(GAME) --games $(GAMES)

# Record the game of twenty turns again whenever the rules or the shape of the state change.
record: $(VENV)/ready ## play the recorded game of twenty turns again
	$(BIN)/python -m tests.desk.games.test_replay

# Once, when a release has tables of its own; its files are never changed.
keep: $(VENV)/ready ## keep a site of this version, which every later version opens and plays on
	$(BIN)/python -m tests.support.kept_site

storm-intake: $(VENV)/ready ## send 2,100 emails with orders around a deadline, simulated and then by LMTP
	$(BIN)/python -m tests.support.storming

bench-growth: $(VENV)/ready ## measure the cost of an email and of a round of the loop, with 10 to 10,000 games
	$(BIN)/python -m tests.benchmarks.growth

bench: $(VENV)/ready ## measure a turn, an order sheet, an email and the whole referee, compared to a baseline
	$(BIN)/python -m tests.benchmarks.starweb_turn
	$(BIN)/python -m tests.benchmarks.star_empires_turn
	$(BIN)/python -m tests.benchmarks.order_sheet
	$(BIN)/python -m tests.benchmarks.intake
	$(BIN)/python -m tests.benchmarks.daemon

bench-daemon: $(VENV)/ready ## measure the whole referee, from emails by LMTP to answers by SMTP; a minute or two
	$(BIN)/python -m tests.benchmarks.daemon

bench-flood: $(VENV)/ready ## measure the answers to players while LETTERS=10000 forged emails come by LMTP
	$(BIN)/python -m tests.benchmarks.flood $(LETTERS)

bench-against: $(VENV)/ready ## compare the processor time of emails and turns with BASE=<commit>, in alternation
	$(BIN)/python -m tests.benchmarks.against $(BASE)

bench-storm: $(VENV)/ready ## measure GAMES=1000 due in the same minute, on one core and on all, with one referee and two
	$(BIN)/python -m tests.benchmarks.storm $(GAMES)

storm: $(VENV)/ready ## kill four referees at random for SECONDS=60 while GAMES=1000 fall due
	STORM_GAMES=$(GAMES) STORM_SECONDS=$(SECONDS) STORM_SEED=$(SEED) $(BIN)/python -m pytest -s tests/live/test_daemon_storm.py

# The environment, made again when the lock or the project's own metadata has changed. pip 23.0, as
# Debian 12 has it, would install what comes only as source without its licence text.
$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("referee needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -c 'import venv, ensurepip' || { echo 'Python lacks its venv module; on Debian: apt install python3-venv'; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --use-pep517 --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# The lock for every Python and platform, hashes and no address of a registry. Needs uv.
lock: ## write requirements.lock from pyproject.toml
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    --python-version 3.11 --all-extras --output-file requirements.lock pyproject.toml

clean: ## remove the environment and what was built
	rm -rf $(VENV) build dist
