"""``referee game promote`` and ``demote``: the operator appoints a GM, or removes one."""

import re
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.desk.base.desk import Desk
from referee.desk.gm import game_setup
from referee.desk.seats import first_gm
from referee.desk.seats.registration import enrol
from referee.domain.commands import Create
from referee.store import Store
from referee.store.games import audit, games
from referee.store.models import OutboxLetter
from tests.support.hourly import NOON, SETTINGS, installed, run

GM, GANDALF = "you@example.org", "gandalf@grey.example"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site with a game of one GM that waits for players."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    with installed() as app, app.store.write() as session:
        desk = Desk(session, app.site, NOON)
        planned = game_setup.plan(desk, GM, Create("starweb", schedule="1 day"))
        game_setup.create(desk, GM, planned)
    return tmp_path


def promote_gandalf() -> None:
    with installed() as app, app.store.write() as session:
        (game,) = games.listing(session)
        gandalf = enrol(Desk(session, app.site, NOON), GANDALF, "", "").person
        first_gm.promote(game.gms[0], gandalf, NOON)


def test_an_address_that_never_took_part_is_named_as_such(folder: Path) -> None:
    asked = run("game", "promote", "SW-1", "stranger@grey.example")
    assert (
        "stranger@grey.example has never taken part in anything here. Make stranger@grey.example a "
        "GM of SW-1?" in asked.output
    )
    known = run("game", "promote", "SW-1", GM)
    assert f"Make {GM} a GM of SW-1?" in known.output
    assert "never" not in known.output


def gms(store: Store) -> list[str]:
    with store.read() as session:
        (game,) = games.listing(session)
        return [gm.person.address for gm in game.gms]


@pytest.mark.slow
def test_the_operator_removes_the_first_gm(folder: Path) -> None:
    promote_gandalf()
    asked = run("game", "demote", "sw-1", "You@example.org")
    assert asked.exit_code == 1
    assert "Remove You@example.org as GM of SW-1?" in asked.output
    with installed() as app:
        assert set(gms(app.store)) == {GM, GANDALF}

    done = run("game", "demote", "sw-1", "You@example.org", "--yes")
    assert (done.exit_code, done.output) == (0, "You@example.org is no longer a GM of SW-1.\n")
    with installed() as app:
        assert gms(app.store) == [GANDALF]
        with app.store.read() as session:
            (game,) = games.listing(session)
            entry = audit.newest(session, game, 1)[0]
            letters = session.scalars(select(OutboxLetter.id)).all()
    mailed = "".join(run("mail", "show", str(n), "--outgoing").output for n in letters)
    assert (entry.who, entry.what) == ("operator", "A GM has left SW-1.")
    assert "You are no longer a GM of SW-1. The operator decided this." in mailed
    assert re.search(r"The operator decided that GM #[0-9]{6} is no\s+longer a GM", mailed)
    assert "You are now the first GM of SW-1" in mailed


@pytest.mark.slow
def test_the_only_gm_and_another_person_are_not_removed(folder: Path) -> None:
    only = run("game", "demote", "SW-1", GM, "--yes")
    assert only.exit_code == 1
    assert "SW-1 has no other GM. First make someone a GM with PROMOTE." in only.stderr
    player = run("game", "demote", "SW-1", GANDALF, "--yes")
    assert player.exit_code == 1
    assert f"{GANDALF} is not a GM of SW-1." in player.stderr
    with installed() as app:
        assert gms(app.store) == [GM]


def test_the_operator_appoints_a_gm(folder: Path) -> None:
    asked = run("game", "promote", "sw-1", GANDALF)
    assert asked.exit_code == 1
    assert f"Make {GANDALF} a GM of SW-1?" in asked.output
    done = run("game", "promote", "sw-1", GANDALF, "--yes")
    assert (done.exit_code, done.output) == (0, f"{GANDALF} is a GM of SW-1.\n")
    with installed() as app:
        assert set(gms(app.store)) == {GM, GANDALF}
        with app.store.read() as session:
            letters = session.scalars(select(OutboxLetter.id)).all()
    mailed = "".join(run("mail", "show", str(n), "--outgoing").output for n in letters)
    assert "The operator has made you a GM of SW-1" in mailed
    assert re.search(r"The operator made GM #[0-9]{6} a GM of SW-1", mailed)
    again = run("game", "promote", "sw-1", GANDALF, "--yes")
    assert f"{GANDALF} is already a GM of SW-1." in again.stderr
    assert run("game", "demote", "SW-1", GM, "--yes").exit_code == 0
