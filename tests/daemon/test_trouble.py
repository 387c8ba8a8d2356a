"""Failures of a ruleset, a template or a mail source: one game waits, the others continue."""

import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee import resources
from referee.app import App, build
from referee.daemon import Daemon
from referee.letters.outgoing.compose import Composer
from referee.store.games import games
from referee.store.mail import heartbeats
from referee.testing.conversation import ADDRESS, Conversation
from tests.daemon.test_daemon import settings
from tests.support.faulty import Faulty
from tests.support.new_letters import new_letter

HOUR = timedelta(hours=1)
BEGINNING = """
=== gm@example.org writes

CREATE {ruleset} SEATS 2 DEADLINE "5 days" OPTION introduced=yes

=== gm@example.org gets mail
=== gm@example.org writes

GM {game}
OPTION REMINDERS NONE

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN {game} FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN {game} SAM AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
"""


def torn_composer(folder: Path, monkeypatch: pytest.MonkeyPatch, *torn: str) -> Composer:
    """Return a composer whose templates of that name contain an unknown variable."""
    shutil.copytree(resources.folder("mailtemplates"), folder)
    for name in torn:
        with (folder / f"{name}.txt.j2").open("a") as template:
            template.write("{{ no_such_word }}")
    with monkeypatch.context() as patch:
        patch.setattr(resources, "folder", lambda _name: folder)
        return Composer(ADDRESS)


def turns(talk: Conversation) -> dict[str, int]:
    with talk.store.read() as session:
        return {game.name: game.turn for game in games.listing(session)}


@pytest.mark.slow
def test_a_ruleset_that_raises_stalls_only_its_own_game(talk: Conversation, faulty: Faulty) -> None:
    faulty.broken = {"resolve"}
    talk.run(BEGINNING.format(ruleset="FAULTY", game="FT-1"))
    talk.run(BEGINNING.format(ruleset="STARWEB", game="SW-1"))
    talk.run("""
=== it is 2026-09-06 12:00 UTC
=== frodo@shire.example gets
Subject: [SW-1 T2 FRODO] report, orders due
=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets
Subject: [FT-1 T1] turn 1 could not be resolved
Turn 1 could not be resolved. This is a fault on our side
the turn is resolved automatically.
! Deadline for turn
! F3T4F17
=== operator@referee.example gets
Subject: [FT-1] turn 1 cannot be resolved
Turn 1 of FT-1 cannot be resolved
all other games go on
! F3T4F17
=== it is 2026-09-08 12:00 UTC
""")
    assert turns(talk) == {"FT-1": 1, "SW-1": 2}
    faulty.broken = set()
    talk.run("""
=== it is 2026-09-08 13:00 UTC
=== frodo@shire.example gets
Subject: [FT-1 T2 FRODO] report, orders due Fri 11 Sep 12:00 UTC
Orders due: Fri 11 Sep 2026, 12:00 UTC.
Turn 1 was resolved late, because of a fault on our side.
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
""")
    assert turns(talk) == {"FT-1": 2, "SW-1": 2}


@pytest.mark.slow
@pytest.mark.parametrize("torn", [("report", "plain"), ("report", "plain", "operator_alert")])
def test_a_template_that_raises_does_not_change_the_game(
    talk: Conversation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, torn: tuple[str, ...]
) -> None:
    talk.run(BEGINNING.format(ruleset="STARWEB", game="SW-1"))
    composer = torn_composer(tmp_path / "mailtemplates", monkeypatch, *torn)
    app = talk.daemon.app
    app = replace(app, site=replace(app.site, composer=composer))
    healthy, talk.daemon = talk.daemon, Daemon(app, owner="conversation")
    if "operator_alert" in torn:
        talk.run("=== it is 2026-09-06 13:00 UTC")
    else:
        talk.run("""
=== it is 2026-09-06 13:00 UTC
=== operator@referee.example gets
Turn 1 of SW-1 cannot be resolved
=== gm@example.org gets
Turn 1 could not be resolved
""")
    assert turns(talk) == {"SW-1": 1}
    talk.daemon = healthy
    talk.run("""
=== it is 2026-09-06 15:00 UTC
=== frodo@shire.example gets
Subject: [SW-1 T2 FRODO] report, orders due
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
""")
    assert turns(talk) == {"SW-1": 2}


@pytest.mark.slow
def test_a_turn_waits_for_an_unreadable_source(tmp_path: Path) -> None:
    app = build(settings(tmp_path))
    daemon = Daemon(app)
    noon = datetime(2026, 9, 1, 12, tzinfo=UTC)
    incoming = tmp_path / "incoming" / "new"
    _begin(app, daemon, incoming, noon)
    due = noon + 3 * HOUR
    _work(daemon, noon, due - HOUR)
    incoming.rename(tmp_path / "gone")
    _work(daemon, due - HOUR, due + 2 * HOUR)
    # Orders may be in it, so the turn waits, although the daemon was running all the time.
    assert _game(app) == (1, due)
    (tmp_path / "gone").rename(incoming)
    _work(daemon, due + 2 * HOUR, due + 2 * HOUR + timedelta(minutes=10))
    turn, moved = _game(app)
    assert turn == 1
    # Half a turn is left when it is readable again.
    assert timedelta(hours=3.4) < moved - due < timedelta(hours=3.7)
    _work(daemon, due + 2 * HOUR, moved + timedelta(minutes=1))
    assert _game(app)[0] == 2
    app.close()


@pytest.mark.slow
def test_no_turn_waits_forever_for_a_source(tmp_path: Path) -> None:
    app = build(settings(tmp_path, "[outage]\ngap_seconds = 7200\n"))
    daemon = Daemon(app)
    noon = datetime(2026, 9, 1, 12, tzinfo=UTC)
    incoming = tmp_path / "incoming" / "new"
    _begin(app, daemon, incoming, noon)
    _work(daemon, noon, noon + HOUR, HOUR)
    incoming.rename(tmp_path / "gone")
    _work(daemon, noon + HOUR, noon + 72 * HOUR, HOUR)
    assert _game(app) == (1, noon + 3 * HOUR)
    _work(daemon, noon + 72 * HOUR, noon + 74 * HOUR, HOUR)
    assert _game(app)[0] == 2
    app.close()


@pytest.mark.release
def test_a_machine_with_a_slow_clock_resolves_nothing_while_another_works(tmp_path: Path) -> None:
    app = build(settings(tmp_path))
    right, slow = Daemon(app, "right"), Daemon(app, "slow")
    noon = datetime(2026, 9, 1, 12, tzinfo=UTC)
    _begin(app, right, tmp_path / "incoming" / "new", noon)
    now = noon
    while now < noon + 3 * HOUR - timedelta(minutes=1):
        right.step(now)
        slow.step(now - HOUR)
        now += timedelta(minutes=1)
    with app.store.read() as session:
        (pulse,) = heartbeats.among(session, ["daemon"])
        assert pulse.beat_at == now - timedelta(minutes=1)
    assert _game(app) == (1, noon + 3 * HOUR)
    right.step(now + timedelta(minutes=1))
    assert _game(app)[0] == 2
    app.close()


def _begin(app: App, daemon: Daemon, incoming: Path, noon: datetime) -> None:
    """Start a game of two with turns of three hours."""
    letters = (
        ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "3 hours" OPTION introduced=yes'),
        ("frodo@shire.example", "JOIN SW-1 FRODO AS Empire Builder"),
        ("sam@shire.example", "JOIN SW-1 SAM AS Empire Builder"),
    )
    for number, (sender, text) in enumerate(letters, 1):
        (incoming / f"{number}.host").write_bytes(new_letter(sender, number, text, noon))
        daemon.step(noon)


def _work(
    daemon: Daemon, begin: datetime, end: datetime, pause: timedelta = timedelta(minutes=5)
) -> None:
    """Run the daemon with long pauses between its steps."""
    now = begin
    while now <= end:
        daemon.step(now)
        now += pause


def _game(app: App) -> tuple[int, datetime]:
    with app.store.read() as session:
        (game,) = games.listing(session)
        assert game.deadline_at is not None
        return game.turn, game.deadline_at
