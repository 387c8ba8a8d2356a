"""The commands for games: a whole game of StarWeb, in files and in the database."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee import instance_lock
from referee.app import App, build
from referee.cli import main
from referee.daemon import Daemon
from referee.domain.mail_transfer import IncomingMail
from referee.rules.dice import SECRET
from referee.settings import load
from referee.store.games import games
from referee.store.mail import heartbeats
from referee.store.models import GameStatus, TurnRow
from tests.support.new_letters import new_letter

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
SETTINGS = """
[site]
address = "games@example.org"
operator = "you@example.org"
[trust]
authserv_ids = ["mx.referee.example"]
[sending]
kind = "maildir"
path = "sent"
"""
LETTERS = (
    ("you@example.org", 'CREATE STARWEB SEATS 2 DEADLINE "72 hours" TITLE "A test"'),
    ("frodo@shire.example", "JOIN SW-1 FRODO"),
    ("sam@shire.example", "JOIN SW-1 SAM"),
)


def run(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """Return a site with the game SW-1 before the orders of turn 1."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("REFEREE_SETTINGS", raising=False)
    (tmp_path / "referee.toml").write_text(SETTINGS)
    app = build(load(tmp_path / "referee.toml"))
    for number, (sender, text) in enumerate(LETTERS):
        raw = new_letter(sender, number, text, NOON)
        app.accept(IncomingMail("pipe", str(number), raw, NOON, sender))
    Daemon(app).step(NOON)
    yield app
    app.close()


@pytest.fixture
def setup(tmp_path: Path) -> Path:
    """Return the state file of a game for two players, the same for every test."""
    file = tmp_path / "start.json"
    shown = run("game", "new", "starweb", file, "--seat", "CERES", "--seat", "MARS", "--seed", "0f")
    assert shown.exit_code == 0, shown.stderr
    return file


def resolve(app: App) -> None:
    """Resolve the first turn, by a referee that was running all the time."""
    after = NOON + timedelta(days=4)
    with app.store.write() as session:
        heartbeats.keep(session, after)
    Daemon(app).step(after)


def home_of(state: Path, seat: int) -> int:
    home = json.loads(state.read_text())["state"]["players"][str(seat)]["home"]
    assert isinstance(home, int)
    return home


@pytest.mark.usefixtures("app")
def test_status_shows_the_game() -> None:
    expected = r"SW-1 +starweb +running +1 +2 of 2 +0 of 2 +2026-09-04 12:00 UTC"
    assert re.search(expected, run("status").output)


@pytest.mark.slow
def test_status_shows_the_sheets_of_a_game_on_hold(app: App) -> None:
    with app.store.write() as session:
        (game,) = games.listing(session)
        game.status = GameStatus.HELD
    assert re.search(r"SW-1 +starweb +held +1 +2 of 2 +0 of 2 ", run("status").output)


def test_a_game_that_has_ended_is_shown_with_its_last_turn(app: App) -> None:
    resolve(app)
    with app.store.write() as session:
        (game,) = games.listing(session)
        game.status, game.deadline_at = GameStatus.ENDED, None
    assert re.search(r"SW-1 +starweb +ended +1 +2 of 2", run("status", "--all").output)
    assert re.search(r"SW-1 +starweb +ended +1 +2 of 2", run("games", "--all").output)
    assert "SW-1: starweb, ended, turn 1\n" in run("games", "SW-1").output


def test_status_shows_a_stalled_game_and_the_last_heartbeat(app: App) -> None:
    with app.store.write() as session:
        (game,) = games.listing(session)
        game.stalls, game.stalled_until = 1, NOON
    shown = run("status").output
    assert "Turn 1 of SW-1 could not be resolved; next try: 2026-09-01 12:00 UTC\n" in shown
    assert "Last active:  2026-09-01 12:00 UTC\n" in shown
    assert "No referee is running" in shown
    with instance_lock.running(app.settings):
        assert "No referee" not in run("status").output


def test_a_game_is_recorded_and_proved(app: App, tmp_path: Path) -> None:
    resolve(app)
    assert run("game", "record", "SW-1", tmp_path / "game.json").exit_code == 0
    shown = run("replay", tmp_path / "game.json")
    assert shown.output == "SW-1: 1 turn resolved again, identical\n"


@pytest.mark.sampled
@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    "words",
    [("record", "SW-1"), ("export", "SW-1"), ("new", "starweb", "--seat", "A", "--seat", "B")],
)
def test_a_file_with_secrets_is_for_its_owner_and_kept(
    app: App, tmp_path: Path, words: tuple[str, ...]
) -> None:
    resolve(app)
    file = tmp_path / "game.json"
    command, *rest = words
    arguments = [command, rest[0], str(file), *rest[1:]]
    assert run("game", *arguments).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o644)
    refused = run("game", *arguments)
    assert (refused.exit_code, "already exists" in refused.output) == (1, True)
    assert run("game", *arguments, "--force").exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.usefixtures("app")
def test_orders_are_checked_with_the_text_of_the_acknowledgement(tmp_path: Path) -> None:
    run("game", "export", "SW-1", tmp_path / "state.json")
    good = f"W{home_of(tmp_path / 'state.json', 1)}B5I"
    shown = run("check", "-", "--game", "sw-1", "--seat", "frodo", stdin=f"{good}\nF3TX\n")
    assert shown.exit_code == 1
    assert "REJECTED (1)\n  Line 2: F3TX\n" in shown.output
    assert good in shown.output.partition("ACCEPTED (1)\n")[2]
    assert run("check", "-", "--game", "sw-1", "--seat", "1", stdin=good).exit_code == 0


@pytest.mark.slow
@pytest.mark.usefixtures("app")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "-", "--game", "SW-9", "--seat", "1"], "game SW-9: not found"),
        (["check", "-", "--game", "SW-1", "--seat", "GOLLUM"], "SW-1: no seat GOLLUM"),
        (["replay", "SW-9"], "choose one of these: SW-1"),
        (
            ["replay", "sw-1-record.json.gz"],
            "No such file or directory\n  file      sw-1-record.json.gz",
        ),
        (["replay", "nowhere/record"], "No such file or directory\n  file      nowhere/record"),
        (["game", "export", "SW-1", "out.json", "--turn", "7"], "SW-1 has no turn 7"),
    ],
)
def test_missing_things_are_reported(arguments: list[str], words: str) -> None:
    shown = run(*arguments, stdin="")
    assert shown.exit_code == 1
    assert words in shown.stderr


@pytest.mark.slow
def test_stored_turns_are_resolved_again(app: App) -> None:
    resolve(app)
    shown = run("replay", "sw-1")
    assert shown.output == "SW-1: 1 turn resolved again, identical\n"


@pytest.mark.slow
def test_a_turn_that_was_tampered_with_is_found(app: App) -> None:
    resolve(app)
    with app.store.write() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        second: TurnRow = games.turn_of(session, game, 2)
        second.digest = "0" * 64
    shown = run("replay", "SW-1")
    assert shown.exit_code == 1
    assert shown.output == "SW-1: turn 1: the state after it is different\n"


@pytest.mark.slow
def test_a_stored_game_and_its_file_resolve_alike(app: App, tmp_path: Path) -> None:
    run("game", "export", "SW-1", tmp_path / "before.json")
    resolve(app)
    assert run("resolve", tmp_path / "before.json", "--out", tmp_path / "out").exit_code == 0
    run("game", "export", "SW-1", tmp_path / "after.json")
    assert (tmp_path / "out" / "state.json").read_text() == (tmp_path / "after.json").read_text()


def test_a_turn_is_resolved_from_files_to_files(setup: Path, tmp_path: Path) -> None:
    home = home_of(setup, 1)
    (tmp_path / "CERES.txt").write_text(f"W{home}B5P\nF1TX\nW{home}B99P\n")
    shown = run("resolve", setup, tmp_path / "CERES.txt", "--out", tmp_path / "out")
    assert shown.exit_code == 0
    assert re.search(r"CERES\.txt:2:\d+: ", shown.output)
    assert re.search(r"CERES\.txt:3:1: (refused|warned): ", shown.output)
    assert shown.output.endswith("the new state and 2 reports\n")
    report = (tmp_path / "out" / "CERES.txt").read_text()
    assert "Turn 2, [CERES]" in report
    assert f"W{home}B5P" in report
    assert f"W{home}B5P" not in (tmp_path / "out" / "MARS.txt").read_text()
    assert json.loads((tmp_path / "out" / "state.json").read_text())["state"]["turn"] == 2


def test_the_same_files_give_the_same_turn(setup: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        run("resolve", setup, "--out", tmp_path / name)
    one, two = tmp_path / "one", tmp_path / "two"
    assert [f.name for f in sorted(one.iterdir())] == ["CERES.txt", "MARS.txt", "state.json"]
    for file in one.iterdir():
        assert file.read_bytes() == (two / file.name).read_bytes()


def test_an_order_file_without_a_seat_is_reported(setup: Path, tmp_path: Path) -> None:
    (tmp_path / "VENUS.txt").write_text("F1T1P\n")
    shown = run("resolve", setup, tmp_path / "VENUS.txt", "--out", tmp_path / "out")
    assert shown.exit_code == 1
    assert "name the file after its seat: CERES (1), MARS (2)" in shown.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ruleset": "chess"}, "ruleset chess: not installed"),
        ({"edition": "0"}, "edition 0, schema"),
        ({"state": {}}, "state file: cannot be read"),
        ({"seed": "x"}, "not a state file"),
        ({"seats": 3}, "not a state file"),
    ],
)
def test_an_unreadable_state_file_is_reported(
    setup: Path, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    setup.write_text(json.dumps({**json.loads(setup.read_text()), **change}))
    shown = run("resolve", setup, "--out", tmp_path / "out")
    assert shown.exit_code == 1
    assert words in shown.stderr


def test_a_deeply_nested_state_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text("[" * 300_000)
    shown = run("resolve", tmp_path / "state.json", "--out", tmp_path / "out")
    assert (shown.exit_code, "not a state file" in shown.stderr) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "--seat", "A"], "ruleset chess: not installed"),
        (["starweb", "--seat", "A", "--seed", "xyz"], "not hexadecimal"),
        (["starweb", "--seat", "A", "--option", "no=1"], "'no' is not one of"),
        (["starweb"], "Missing option '--seat'"),
        (["starweb", "--seat", "A", "--seat", "A"], "two seats have the name A"),
    ],
)
def test_an_invalid_setup_is_reported(tmp_path: Path, arguments: list[str], words: str) -> None:
    ruleset, *rest = arguments
    shown = run("game", "new", ruleset, tmp_path / "state.json", *rest)
    assert shown.exit_code in (1, 2)
    assert words in shown.stderr


@pytest.mark.slow
def test_the_seed_of_a_new_game_has_256_bits(app: App, tmp_path: Path) -> None:
    with app.store.read() as session:
        by_mail = games.listing(session)[0].seed
    run("game", "new", "starweb", tmp_path / "state.json", "--seat", "A", "--seat", "B")
    by_hand = bytes.fromhex(json.loads((tmp_path / "state.json").read_text())["seed"])
    assert [len(seed) for seed in (by_mail, by_hand)] == [SECRET] * 2


def test_a_file_is_overwritten_only_if_that_is_wanted(setup: Path) -> None:
    before = setup.read_text()
    again = ("game", "new", "starweb", setup, "--seat", "CERES", "--seat", "MARS", "--seed", "0e")
    shown = run(*again)
    assert (shown.exit_code, "file: already exists" in shown.stderr) == (1, True)
    assert setup.read_text() == before
    assert run(*again, "--force").exit_code == 0
    assert setup.read_text() != before


@pytest.mark.slow
@pytest.mark.usefixtures("app")
def test_an_export_overwrites_no_file_either(setup: Path) -> None:
    before = setup.read_text()
    assert run("game", "export", "SW-1", setup).exit_code == 1
    assert setup.read_text() == before
    assert run("game", "export", "SW-1", setup, "--force").exit_code == 0
    assert setup.read_text() != before


SCENARIO = """
[[case]]
name = "people dig metal"
cite = "s10"
players = { A = "empire-builder" }
given = "W1 [A] (Mines=4,Population=3,Limit=3)"
then = "W1 [A] (Metal=%d)"
"""


def test_scenarios_are_counted(tmp_path: Path) -> None:
    (tmp_path / "starweb").mkdir()
    file = tmp_path / "starweb" / "growth.toml"
    file.write_text(SCENARIO % 3)
    shown = run("scenario", tmp_path)
    assert (shown.output.splitlines()[-1], shown.exit_code) == ("1 passed, 0 failed", 0)
    file.write_text(SCENARIO % 4)
    shown = run("scenario", file)
    assert (shown.output.splitlines()[-1], shown.exit_code) == ("0 passed, 1 failed", 1)
    assert f"{file}: people dig metal" in shown.output
