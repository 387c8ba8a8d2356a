"""``referee person``: what is stored about a person, shown and deleted by the operator."""

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from referee.domain.mail_transfer import IncomingMail
from referee.letters.incoming.decode import decode
from referee.store.models import OutboxLetter
from tests.support.hourly import LETTERS, NOON, SETTINGS, installed, play, run, write
from tests.support.new_letters import new_letter


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a site with a game that has just begun, and a letter by a stranger."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    with installed() as app:
        write(app, *LETTERS, ("x@else.example", "HELP"))
        play(app, hours=0)
    return tmp_path


@pytest.mark.slow
def test_the_operator_shows_and_forgets_a_person(folder: Path) -> None:
    told = json.loads(run("person", "show", "Sam@Shire.example").output)
    assert [seat["seat"] for seat in told["seats"]] == ["SAM"]
    assert "JOIN SW-1 SAM" in told["inbox"][0]["text"]
    assert "frodo@" not in json.dumps(told).lower()

    asked = run("person", "forget", "sam@shire.example")
    assert asked.exit_code == 1
    assert "You give up SAM of SW-1 for good, as by RESIGN." in asked.output
    assert json.loads(run("person", "show", "sam@shire.example").output) == told

    done = run("person", "forget", "sam@shire.example", "--yes")
    assert done.exit_code == 0, done.stderr
    assert "Everything about sam@shire.example was deleted." in done.output
    left = json.loads(run("person", "show", "sam@shire.example").output)
    assert set(left) == {"bookings", "outbox"}
    assert [letter["kind"] for letter in left["outbox"]] == ["Forgotten"]
    assert run("replay", "SW-1").exit_code == 0


@pytest.mark.slow
def test_a_person_alone_with_a_game_and_an_unknown_one_are_refused(folder: Path) -> None:
    refused = run("person", "forget", "you@example.org", "--yes")
    assert refused.exit_code == 1
    assert "SW-1 would have no GM. First make someone a GM there with PROMOTE" in refused.stderr
    unknown = run("person", "show", "nobody@example.org")
    assert unknown.exit_code == 1
    assert "nothing is stored about this address" in unknown.stderr


@pytest.mark.slow
def test_the_letters_of_a_stranger_are_shown_and_deleted(folder: Path) -> None:
    told = json.loads(run("person", "show", "x@else.example").output)
    assert set(told) == {"bookings", "inbox", "outbox"}
    assert run("person", "forget", "x@else.example", "--yes").exit_code == 0
    left = json.loads(run("person", "show", "x@else.example").output)
    assert set(left) == {"bookings"}


@pytest.mark.slow
def test_the_operator_moves_the_only_gm_to_an_address_that_confirms(folder: Path) -> None:
    done = run("person", "move", "you@example.org", "gm@new.example", "--yes")
    assert done.exit_code == 0, done.stderr
    assert "gm@new.example is asked. Nothing changes before it replies CONFIRM" in done.output
    with installed() as app:
        with app.store.read() as session:
            query = select(OutboxLetter).where(OutboxLetter.recipient == "gm@new.example")
            proof = decode(session.scalars(query).one().raw)
        raw = new_letter("gm@new.example", "proof", "CONFIRM", NOON, proof.header("Reply-To"))
        app.accept(IncomingMail("pipe", "proof", raw, NOON, "gm@new.example"))
        play(app, hours=0)
    told = json.loads(run("person", "show", "gm@new.example").output)
    assert [each["game"] for each in told["game_masters"]] == ["SW-1"]
    with installed() as app, app.store.read() as session:
        left = select(OutboxLetter.recipient).where(OutboxLetter.kind == "AddressLeft")
        assert session.scalars(left).all() == ["you@example.org"]


def test_nobody_is_moved_to_an_address_of_another_person(folder: Path) -> None:
    refused = run("person", "move", "you@example.org", "sam@shire.example")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "sam@shire.example is an address of another person." in refused.stderr
    unknown = run("person", "move", "nobody@example.org", "sam@new.example", "--yes")
    assert "nothing is stored about this address" in unknown.stderr
