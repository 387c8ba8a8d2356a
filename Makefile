# make demo: watch GAME=starweb played by email.  make test: the tests.  make check: everything CI checks.
# make test DB=postgresql: the same tests on a PostgreSQL server, which they start and stop.
# make storm: four referees on one PostgreSQL, killed at random while GAMES=1000 fall due.
# make bench-storm: a thousand GAMES=1000 due in the same minute, with SQLite and PostgreSQL.
# make faults: the referee killed at every point of a conversation, not at some alone.
# make install-check: every command of deploy/install.md in a fresh Debian, and what the unit must stand.
# make fuzz: everything that reads others' words, fed with damaged ones for SECONDS=60.
# make soak: twenty games for WEEKS=3 of simulated trouble, and every invariant checked.
# make storm-intake: 2,100 order letters about a deadline, each in or out by its arrival.
# make golden: the golden games, played anew by robots and written to their files.
# make record: the recorded game of twenty turns, likewise.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORES ?= auto
SECONDS ?= 60
GAME ?= starweb
WEEKS ?= 3
SEED ?=
DB ?= sqlite
TESTS ?=

GAMES ?= 1000

.PHONY: demo test check faults install-check fuzz soak golden record bench bench-daemon bench-storm bench-growth storm storm-intake lock clean

demo: $(VENV)/ready
	$(BIN)/referee demo $(GAME)

# Nobody takes many tests at once, or the last would be alone. What Python compiles of the program
# is kept even where the environment says otherwise: the tests start it many times.
test: $(VENV)/ready
	TEST_DATABASE=$(DB) PYTHONDONTWRITEBYTECODE= \
	    $(BIN)/python -m pytest -n $(CORES) --maxschedchunk 16 $(TESTS)

check: $(VENV)/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

# The referee is killed at every single point of a conversation; the tests take some of them.
faults: $(VENV)/ready
	FAULTS=all $(BIN)/python -m pytest tests/exactly_once tests/testing/test_faults.py

# Every command of deploy/install.md in a fresh Debian that systemd boots, and what the unit must
# stand there: as root, with debootstrap, systemd-nspawn and the network.
install-check:
	$(PYTHON) -m tests.support.installing $$(mktemp -d)/debian

# Damaged letters, orders, commands, schedules, printouts and settings, new ones in each run.
fuzz: $(VENV)/ready
	$(BIN)/python -m tests.fuzz $(SECONDS)

# Twenty games with a fault in every corner; a SEED that is given makes the same trouble again.
soak: $(VENV)/ready
	$(BIN)/python -m tests.soak $(WEEKS) $(SEED)

# The golden games, played anew by robots; look at the difference before it is committed.
golden: $(VENV)/ready
	$(BIN)/python -m tests.rulesets.starweb.test_golden
	$(BIN)/python -m tests.rulesets.fistful.test_golden
	$(BIN)/python -m tests.rulesets.starfarers.test_golden
	$(BIN)/python -m tests.rulesets.singularity.test_golden
	$(BIN)/python -m tests.rulesets.star_empires.test_golden

# The recorded game of twenty turns; new whenever the rules or the shape of the state change.
record: $(VENV)/ready
	$(BIN)/python -m tests.desk.games.test_replay

# 2,000 order letters in the minute before a deadline and 100 after it; then the same by LMTP.
storm-intake: $(VENV)/ready
	$(BIN)/python -m tests.support.storming

# What a letter and a round of the loop cost in houses of 10 to 10,000 games.
bench-growth: $(VENV)/ready
	$(BIN)/python -m tests.benchmarks.growth

# How long things take beside a baseline. A time decides no test.
bench: $(VENV)/ready
	$(BIN)/python -m tests.benchmarks.starweb_turn
	$(BIN)/python -m tests.benchmarks.star_empires_turn
	$(BIN)/python -m tests.benchmarks.order_sheet
	$(BIN)/python -m tests.benchmarks.intake

# The whole referee, letters by LMTP to acknowledgements by SMTP; a minute or two.
bench-daemon: $(VENV)/ready
	$(BIN)/python -m tests.benchmarks.daemon

# So many games due in the same minute, on one core and on all, with one referee and with two.
bench-storm: $(VENV)/ready
	$(BIN)/python -m tests.benchmarks.storm $(GAMES)

# Four referees on one PostgreSQL, killed at random for SECONDS, while GAMES fall due.
storm: $(VENV)/ready
	STORM_GAMES=$(GAMES) STORM_SECONDS=$(SECONDS) STORM_SEED=$(SEED) $(BIN)/python -m pytest -s tests/live/test_daemon_storm.py

# The environment, made anew when the lock or the project's own metadata has changed.
$(VENV)/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("referee needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -c 'import venv, ensurepip' || { echo 'Python lacks its venv module; on Debian: apt install python3-venv'; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# The lock for every Python and platform, hashes and no address of a registry. Needs uv.
lock:
	uv pip compile --universal --generate-hashes --no-header --no-annotate --no-emit-index-url \
	    --python-version 3.11 --all-extras --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build dist
