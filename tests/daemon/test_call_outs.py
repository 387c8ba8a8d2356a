"""Call-outs of whole games: which hooks get what, and that they are posted once."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.app import App, build, retention_of
from referee.daemon import Daemon
from referee.daemon.housekeeping import Housekeeping
from referee.desk.base.desk import Desk
from referee.desk.base.private_games import join_line
from referee.desk.due import operator_digest
from referee.desk.reports import game_end
from referee.domain.mail_transfer import IncomingMail
from referee.settings import load
from referee.store.games import games
from referee.store.letter_states import OutboxState
from referee.store.mail.call_outs import CallOutRow
from referee.store.models import OutboxLetter
from referee.tally import Counted
from referee.testing.faults import run
from tests.mail.samples import client_context
from tests.support.hook_server import HookServer, hook_server
from tests.support.hourly import HOUR, NOON, SETTINGS, write
from tests.support.new_letters import new_letter

HOOK = """
[[hook]]
name = "{name}"
url = "https://localhost:{port}{path}"
secret_file = "hook.secret"
address = "127.0.0.1"
games = {games}
"""
GM = "you@example.org"
CREATE = (
    'CREATE STARWEB SEATS 2 DEADLINE "5 hours" OPTION introduced={met} OPTION awaited=yes '
    "OPTION trust=address{more}"
)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[HookServer]:
    with hook_server(tmp_path) as running:
        yield running


def built(folder: Path, *hooks: str, outage: str = "") -> App:
    (folder / "hook.secret").write_text("whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n")
    (folder / "hook.secret").chmod(0o600)
    (folder / "referee.toml").write_text(SETTINGS + outage + "".join(hooks))
    app = build(load(folder / "referee.toml"))
    return replace(app, caller=replace(app.caller, tls=client_context(), seconds=2.0))


def hook(server: HookServer, name: str, path: str, games: str = "[]") -> str:
    return HOOK.format(name=name, port=server.port, path=path, games=games)


def begun(app: App, met: str = "yes", more: str = "") -> Daemon:
    """Start a game at noon, with reminders two hours before each deadline."""
    write(
        app,
        (GM, CREATE.format(met=met, more=more)),
        (GM, "GM SW-1\nOPTION REMINDERS 2 hours"),
    )
    daemon = Daemon(app)
    daemon.step(NOON)
    with app.store.read() as session:
        (game,) = games.listing(session)
        code = join_line(app.site, game).removeprefix("JOIN SW-1")
    names = ("frodo", "sam")
    write(app, *((f"{name}@shire.example", f"JOIN SW-1 {name.upper()}{code}") for name in names))
    daemon.step(NOON)
    return daemon


def order(app: App, sender: str, words: str, number: int = 0) -> None:
    raw = new_letter(sender, f"order{number}.{sender.replace('@', '.')}", words, NOON)
    app.accept(IncomingMail("pipe", f"order{number}{sender}", raw, NOON, sender))


def to(server: HookServer, path: str) -> list[tuple[str, str]]:
    bodies = [json.loads(seen["body"]) for seen in server.seen if seen["path"] == path]
    return [(body["type"], body["data"]["text"]) for body in bodies]


def rows(app: App) -> list[Any]:
    with app.store.read() as session:
        found = session.query(CallOutRow).order_by(CallOutRow.id)
        return [(row.hook, row.kind, row.state, row.attempts) for row in found]


def end(app: App, daemon: Daemon, now: Any) -> None:
    with app.store.write() as session:
        (game,) = games.listing(session)
        game_end.finish(Desk(session, app.site, now), game)
    daemon.call_out(now)


DUE_1, DUE_2 = "Tue 1 Sep 2026, 17:00 UTC", "Tue 1 Sep 2026, 22:00 UTC"
VOTE = "Fri 4 Sep 2026, 18:00 UTC"


def test_a_hook_gets_the_events_of_a_game(server: HookServer, tmp_path: Path) -> None:
    app = built(tmp_path, hook(server, "all", "/ok"), hook(server, "own", "/ok/own", '["SW-1"]'))
    daemon = begun(app)
    for hours in (0, 3, 5):
        daemon.step(NOON + hours * HOUR + MINUTE)
        daemon.call_out(NOON + hours * HOUR + MINUTE)
    order(app, "frodo@shire.example", "SW-1\nVOTE HOLD")
    # This one is secret by the house rules.
    order(app, "frodo@shire.example", "SW-1\nVOTE END")
    daemon.step(NOON + 6 * HOUR)
    end(app, daemon, NOON + 6 * HOUR)
    public = [
        ("game.begun", f"SW-1 StarWeb has begun. Turn 1 is due on {DUE_1}."),
        (
            "orders.awaited",
            f"SW-1: Turn 1 is due on {DUE_1}. Orders are still awaited from FRODO and SAM.",
        ),
        ("turn.resolved", f"SW-1: turn 1 is resolved. Turn 2 is due on {DUE_2}."),
    ]
    # Four call-outs were tried, and no letter.
    assert app.tally.of(Counted.TRIED) == {}
    over = "SW-1 has ended after turn 1."
    assert to(server, "/ok") == [*public, ("game.ended", over)]
    own = to(server, "/ok/own")
    assert own[:3] == public
    assert own[3:-1] == [
        ("vote.opened", f"SW-1: a vote is open until {VOTE}, to put the game on hold.")
    ]
    assert own[-1] == ("game.ended", f"{over} The GM ended the game: there is no winner.")
    app.close()


def test_a_private_game_is_for_the_hooks_that_name_it(server: HookServer, tmp_path: Path) -> None:
    hooks = (
        hook(server, "all", "/ok"),
        hook(server, "other", "/ok/other", '["SW-2"]'),
        hook(server, "own", "/ok/own", '["SW-1"]'),
    )
    app = built(tmp_path, *hooks)
    begun(app, more=" OPTION private=yes").call_out(NOON)
    assert [kind for kind, _ in to(server, "/ok/own")] == ["game.begun"]
    assert [seen["path"] for seen in server.seen] == ["/ok/own"]
    (seen,) = server.seen
    assert json.loads(seen["body"])["data"]["page"] == ""
    app.close()


@pytest.mark.slow
def test_seats_that_have_not_met_are_not_named(server: HookServer, tmp_path: Path) -> None:
    app = built(tmp_path, hook(server, "own", "/ok", '["SW-1"]'))
    daemon = begun(app, met="no")
    daemon.step(NOON + 3 * HOUR + MINUTE)
    daemon.call_out(NOON + 3 * HOUR + MINUTE)
    body = json.loads(server.seen[-1]["body"])
    assert body["data"]["text"].endswith("Orders are still awaited from 2 players.")
    assert (body["data"]["awaited"], body["data"]["others"]) == ([], 2)
    assert "FRODO" not in str(server.seen)
    assert "@" not in str(body)
    app.close()


@pytest.mark.slow
def test_a_hook_that_is_down_delays_no_letter_and_the_operator_reads_of_it(
    server: HookServer, tmp_path: Path
) -> None:
    app = built(tmp_path, hook(server, "all", "/503"))
    daemon = begun(app)
    daemon.call_out(NOON)
    daemon.send(NOON)
    with app.store.read() as session:
        letters = session.query(OutboxLetter)
        assert {letter.state for letter in letters} == {OutboxState.SENT}
    assert rows(app) == [("all", "game.begun", OutboxState.WAITING, 1)]
    # Pauses of 1, 2, 5, 15 and 60 minutes, then of four hours, until a day is over.
    moment = NOON
    for _ in range(26 * 60):
        moment += MINUTE
        daemon.call_out(moment)
    assert rows(app) == [("all", "game.begun", OutboxState.FAILED, 11)]
    assert len(server.seen) == 11
    with app.store.write() as session:
        operator_digest.send_digest(Desk(session, app.site, NOON + timedelta(hours=42)))
        digest = session.query(OutboxLetter).filter(OutboxLetter.kind == "OperatorDigest").one()
        text = digest.raw.decode()
    assert "hook all: 1 call-out failed, 1 given up, 0 tried again: HTTP 503" in " ".join(
        text.split()
    )
    app.close()


@pytest.mark.slow
def test_a_wrong_clock_gives_up_no_call_out(server: HookServer, tmp_path: Path) -> None:
    app, ahead = built(tmp_path, hook(server, "all", "/503")), NOON + timedelta(days=60)
    daemon = begun(app)
    daemon.step(NOON + MINUTE)
    daemon.call_out(NOON + MINUTE)
    daemon.step(ahead)
    daemon.call_out(ahead)
    assert rows(app) == [("all", "game.begun", OutboxState.WAITING, 2)]
    # The clock is right again, and trusted after a day: a pause that the other set is over.
    for hours in (1, 26):
        daemon.step(NOON + hours * HOUR)
    daemon.call_out(NOON + 26 * HOUR)
    assert rows(app)[0] == ("all", "game.begun", OutboxState.WAITING, 3)
    app.close()


def test_after_30_days_a_call_out_is_forgotten(server: HookServer, tmp_path: Path) -> None:
    app = built(tmp_path, hook(server, "all", "/ok"))
    begun(app).call_out(NOON)
    chores = Housekeeping(app.store, retention_of(app.settings))
    for days, left in ((30, 1), (31, 0)):
        list(chores.do_all(NOON + timedelta(days=days)))
        assert len(rows(app)) == left
    app.close()


@pytest.mark.slow
@pytest.mark.sqlite("puts the file back")
def test_killed_anywhere_a_call_out_is_posted_and_twice_only_if_nobody_knows(
    server: HookServer, tmp_path: Path
) -> None:
    app = built(tmp_path, hook(server, "all", "/ok"))
    begun(app)
    app.close()
    database = tmp_path / "state" / "referee.db"
    before = database.read_bytes()

    def serve() -> None:
        again = built(tmp_path, hook(server, "all", "/ok"))
        daemon = Daemon(again, "ourselves")
        daemon.reclaim_stale_claims()
        daemon.call_out(NOON + MINUTE)
        again.close()

    points = run(serve, tmp_path).points
    assert len(server.seen) == 1
    posted: list[int] = []
    for at in range(1, len(points) + 1):
        for file in database.parent.glob("referee.db*"):
            file.unlink()
        database.write_bytes(before)
        seen = len(server.seen)
        assert run(serve, tmp_path, at).killed
        run(partial(serve), tmp_path)
        ids = {each["head"]["webhook-id"] for each in server.seen[seen:]}
        assert len(ids) == 1
        posted.append(len(server.seen) - seen)
    # Only between the answer of the hook and its record nobody knows.
    assert sorted(posted) == [1] * (len(points) - 1) + [2]
