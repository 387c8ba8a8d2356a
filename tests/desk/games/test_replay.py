"""A game of twenty turns, stored as a record: undone, played again, corrected and proved.

``make record`` plays it again from its sheets.
"""

import gzip
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from referee.cli import main
from referee.cli.game_files import read_record, write_record
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import begin_turn, commitment
from referee.desk.due import adjudication
from referee.desk.games import record_file
from referee.desk.games.record import Extent, Record, decisions, prove, record_of
from referee.desk.games.record_file import MOST_READ
from referee.desk.games.replay import Resolved
from referee.desk.games.resolution import brief_of, resolve
from referee.desk.seats.registration import enrol
from referee.errors import ResourceError, StateUnreadable
from referee.plugins import installed_rulesets
from referee.rules.dice import Dice
from referee.rules.ruleset import Seat, SignUp
from referee.rulesets.starweb import RULESET, StarWeb
from referee.rulesets.starweb.state import State
from referee.store import Session
from referee.store.database import codec
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.models import GameStatus, InboxLetter, TurnRow
from referee.testing.conversation import Conversation
from referee.testing.scenarios import OrderReading
from tests.attacks.siege import Siege

RECORD = Path(__file__).parent / "twenty-turns.json.gz"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
GM = "gm@example.org"


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(RECORD)


@pytest.fixture(scope="module")
def short(record: Record) -> Record:
    """Return the record of the first two turns, of a game that goes on."""
    return replace(record, turns=record.turns[:2], extent=Extent(2, ended=False))


@pytest.fixture
def talk(record: Record) -> Iterator[Conversation]:
    """Yield a referee with the game before the orders of turn 21; only ALPHA has a player."""
    conversation = Conversation(installed_rulesets())
    with conversation.store.write() as session:
        _begin(session, conversation, record)
    _play(conversation, record.turns)
    yield conversation
    conversation.close()


@pytest.mark.slow
def test_undone_turns_are_kept_and_come_out_the_same(talk: Conversation, record: Record) -> None:
    digests = [turn.digest for turn in record.turns]
    assert _digests(talk) == digests
    _say(
        talk,
        "ROLLBACK",
        "Undone: turn 20, resolved on",
        "The GM rolled the game back from turn 21 to turn 20",
    )
    assert _digests(talk) == digests[:-1]
    _say(talk, "RESOLVE", "Turn 20 of SW-1 is resolved now", "Turn 20 is resolved now.")
    assert _digests(talk) == digests
    _say(talk, "ROLLBACK 5 TURNS", "24 order sheets for later turns will not count", "to turn 16")
    assert _digests(talk) == digests[:15]
    assert _undone(talk) == {1: [20, 21], 2: [16, 17, 18, 19, 20, 21]}
    with talk.store.read() as session:
        rolled_back = record_of(session, games.listing(session)[0])
    assert list(decisions(rolled_back)) == [
        "turn 20: the GM rolled back to its orders; undone: 20",
        "turn 16: the GM rolled back to its orders; undone: 16, 17, 18, 19, 20",
    ]
    # The sheets of turn 16 are on file as they were; those of later turns must be sent again.
    _say(talk, "RESOLVE", "Turn 16 of SW-1 is resolved now", "Turn 16 is resolved now.")
    _play(talk, record.turns[16:])
    assert _digests(talk) == digests
    _say(talk, "REPLAY", "REPLAY", "20 turns resolved again: identical.")


@pytest.mark.slow
def test_a_correction_is_in_the_record_and_in_the_report(
    talk: Conversation, record: Record, tmp_path: Path
) -> None:
    _say(
        talk,
        "CORRECT W1 was robbed by a mistake of mine\nW1 (Metal=77)\nEND",
        "W1 was robbed by a mistake of mine",
        "The GM corrected the game: W1 was robbed by a mistake of mine.",
    )
    _say(talk, "RESOLVE", "Turn 21 of SW-1 is resolved now", "Turn 21 is resolved now.")
    got = talk.person("alpha@example.org").got
    report = next(
        letter
        for letter in got
        if letter.subject.startswith("[SW-1 T22 ALPHA] report, orders due ")
    )
    told = "The GM corrected the game: W1 was robbed by a mistake of mine."
    assert told in " ".join(report.text.partition("ANNOUNCEMENTS")[2].split())
    _say(talk, "REPLAY", "REPLAY", "21 turns resolved again: identical.")
    with talk.store.read() as session:
        corrected = record_of(session, games.listing(session)[0])
    assert corrected.turns[:19] == record.turns[:19]
    assert corrected.turns[19].corrections == ["W1 (Metal=77)"]
    assert corrected.turns[19].digest != record.turns[19].digest
    assert prove(corrected, installed_rulesets()).differences == ()
    write_record(tmp_path / "game.json", corrected)
    assert read_record(tmp_path / "game.json") == corrected


def test_the_record_is_proved_on_every_python() -> None:
    shown = CliRunner().invoke(main, ["replay", str(RECORD)])
    assert shown.output == "SW-1: 20 turns resolved again, identical\n"
    assert shown.exit_code == 0


@pytest.mark.slow
def test_the_dice_of_a_record_are_those_of_the_first_report(record: Record) -> None:
    told = commitment(record.seed)
    shown = CliRunner().invoke(main, ["replay", str(RECORD), "--dice", told.upper()])
    assert shown.output.endswith("identical\nSW-1: its dice are those of the first report\n")
    short = CliRunner().invoke(main, ["replay", str(RECORD), "--dice", told[:12]])
    assert short.exit_code == 2
    assert "--dice needs all 64 characters of the SHA-256, but has 12" in short.output
    shown = CliRunner().invoke(main, ["replay", str(RECORD), "--dice", "0" * 64])
    assert f"SW-1: its dice have the SHA-256 {told}, so they are not" in shown.output
    assert shown.exit_code == 1


def test_a_game_that_did_not_follow_its_players_wishes_is_found(short: Record) -> None:
    last = replace(short.signups[-1], choices={"character": ("Pirate",)})
    changed = replace(short, signups=[*short.signups[:-1], last])
    found = prove(changed, installed_rulesets()).differences
    assert found[0] == "the state before turn 1 is different"


def test_a_recorded_game_is_set_up_by_the_edition_that_it_began_with(short: Record) -> None:
    editions = []

    class Remembering(StarWeb):
        @staticmethod
        def setup(
            seats: Sequence[SignUp], options: Mapping[str, int | str | bool], dice: Dice
        ) -> State:
            editions.append(options["edition"])
            return RULESET.setup(seats, options, dice)

    assert prove(short, {"starweb": Remembering()}).differences == ()
    assert editions == [short.edition]


def test_a_removed_sheet_shows_its_orders_and_which_side_has_them(
    short: Record, tmp_path: Path
) -> None:
    second = short.turns[1]
    emptied = replace(second, sheets={**second.sheets, "2": []})
    lines = _lines(tmp_path, replace(short, turns=(short.turns[0], emptied)))
    assert "SW-1: turn 2: the state after it is different" in lines
    where = "SW-1: turn 2, BETA:"
    which = "has a result in the record, but the replay has no such order"
    orders = [row[0] for row in second.outcomes["2"]]
    assert [f"{where} {order} {which}" for order in orders] == [
        line for line in lines if line.startswith(where)
    ]


def test_a_changed_result_shows_both_sides(short: Record, tmp_path: Path) -> None:
    first = short.turns[0]
    order, done, reason = first.outcomes["1"][0]
    assert (done, reason) == (True, "")
    rows = [[order, False, "it was late"], *first.outcomes["1"][1:]]
    forged = replace(first, outcomes={**first.outcomes, "1": rows})
    (line,) = _lines(tmp_path, replace(short, turns=(forged, short.turns[1])))
    sides = "in the record failed (it was late); in the replay done (nothing said)"
    assert line == f"SW-1: turn 1, ALPHA: {order}: {sides}"


def test_an_invented_correction_is_named_though_its_digest_fits(
    short: Record, tmp_path: Path
) -> None:
    first, second = short.turns
    before = prove(short, installed_rulesets()).turns[0].resolution.state
    given, _ = RULESET.correct(before, "W1 (Metal=77)")
    forged = replace(first, corrections=["   W1 (Metal=77)\n"], digest=codec.encode(given).digest)
    proof = prove(replace(short, turns=(forged,)), installed_rulesets())
    whole = replace(short, turns=(forged,), extent=Extent(1, ended=False))
    assert proof.differences == ("it says that the game has 2 turns, but it has 1 of them",)
    assert _lines(tmp_path, whole) == [
        "SW-1: turn 2: the GM corrected W1 (Metal=77)",
        "SW-1: 1 turn resolved again, identical",
    ]
    unreadable = replace(whole, turns=(replace(forged, corrections=["W999 (Metal=1)"]),))
    assert any(
        line.startswith("SW-1: turn 1: the GM's correction W999 (Metal=1) cannot be applied: ")
        for line in _lines(tmp_path, unreadable)
    )
    assert second.corrections == []


def test_the_record_names_the_corrections_that_rollbacks_undid() -> None:
    siege = Siege()

    def confirm(command: str) -> None:
        siege.reply(GM, command)
        siege.reply(GM, "CONFIRM")

    siege.later(days=6)
    confirm("CORRECT a typing error\nW7 (Mines=9)\nEND")
    confirm("ROLLBACK")
    confirm("CORRECT one that stays\nW8 (Mines=9)\nEND")
    siege.later(days=6)
    confirm("ROLLBACK")
    siege.later(days=6)
    with siege.store.read() as session:
        found = record_of(session, games.listing(session)[0])
    assert list(decisions(found)) == [
        "turn 1: the GM corrected W8 (Mines=9)",
        "turn 2: the GM corrected W7 (Mines=9); undone by a rollback",
        "turn 1: the GM rolled back to its orders; undone: 1",
        "turn 1: the GM rolled back to its orders; undone: 1",
    ]
    assert record_file.decode(record_file.encode(found)) == found
    assert prove(found, installed_rulesets()).differences == ()


def test_a_seat_can_compare_its_orders_and_reports(short: Record, tmp_path: Path) -> None:
    write_record(tmp_path / "game.json", short)
    asked = ["replay", str(tmp_path / "game.json"), "--seat", "beta"]
    shown = CliRunner().invoke(main, asked).output
    sheet = "\n".join(short.turns[1].sheets["2"])
    assert f"=== Turn 2: orders on file\n{sheet}\n\n=== Turn 3: report\n" in shown
    assert all(f"Game SW-1, Turn {turn}, [BETA]" in shown for turn in (1, 2, 3))
    assert "[ALPHA]: " not in shown
    refused = CliRunner().invoke(main, [*asked[:-1], "NOBODY"])
    assert "--seat must be one of these: ALPHA, BETA, " in refused.output
    refused = CliRunner().invoke(main, ["replay", "SW-1", "--seat", "BETA"])
    assert "--seat needs the record of the game, a file" in refused.output


def _cut(record: Record) -> Record:
    return replace(record, turns=record.turns[:1])


def _emptied(record: Record) -> Record:
    return replace(record, turns=())


def _renumbered(record: Record) -> Record:
    return replace(record, turns=(record.turns[0], replace(record.turns[1], number=7)))


def _of_another_edition(record: Record) -> Record:
    return replace(record, edition="9")


def _with_a_missed_turn(record: Record) -> Record:
    return replace(record, turns=(replace(record.turns[0], missed=[2]), record.turns[1]))


def _without_a_sheet(record: Record) -> Record:
    first = record.turns[0]
    sheets = {seat: orders for seat, orders in first.sheets.items() if seat != "2"}
    return replace(record, turns=(replace(first, sheets=sheets), record.turns[1]))


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (_cut, "it says that the game has 2 turns, but it has 1 of them"),
        (_emptied, "it says that the game has 2 turns, but it has 0 of them"),
        (_renumbered, "turn 7 is in the place of turn 2"),
        (_of_another_edition, "it has edition 9 of the rules, but those installed are 1"),
        (_with_a_missed_turn, "turn 1, BETA: missed it in the record, but has orders of its own"),
        (_without_a_sheet, "turn 1, BETA: the record has no orders, not even default orders"),
    ],
)
def test_a_damaged_record_does_not_pass(
    short: Record, tmp_path: Path, damage: Callable[[Record], Record], line: str
) -> None:
    lines = _lines(tmp_path, damage(short), exit_code=1)
    assert f"SW-1: {line}" in lines
    assert not any("identical" in each for each in lines)


def test_a_game_that_ended_before_its_first_turn_is_set_up_again(
    short: Record, tmp_path: Path
) -> None:
    before_the_first = replace(short, turns=(), extent=Extent(0, ended=True))
    assert _lines(tmp_path, before_the_first) == [
        "SW-1: set up again, identical; it has no turns, so no turn was checked"
    ]


@pytest.mark.parametrize(
    ("path", "what"),
    [
        (("seed",), "the file has no 'seed'"),
        (("turns", 1, "missed"), "turn 2 has no 'missed'"),
        (("signups", 0, "name"), "sign-up 1 has no 'name'"),
        (("extent",), "the file has no 'extent'"),
        (("extent", "length"), "'extent' has no 'length'"),
        (("turns", 0, "outcomes", "2", 0, 2), "turn 1 has 'outcomes' that cannot be read"),
    ],
)
def test_what_a_record_lacks_is_said_with_its_place(
    short: Record, tmp_path: Path, path: tuple[str | int, ...], what: str
) -> None:
    content = json.loads(record_file.encode(short))
    part = content
    for key in path[:-1]:
        part = part[key]
    del part[path[-1]]
    (tmp_path / "game.json").write_text(json.dumps(content))
    with pytest.raises(ResourceError, match=f"not a record: {re.escape(what)}"):
        read_record(tmp_path / "game.json")


def test_a_line_that_was_removed_badly_is_found(short: Record, tmp_path: Path) -> None:
    lines = record_file.encode(short).decode().splitlines()
    del lines[4]
    lines[3] += ","
    (tmp_path / "game.json").write_text("\n".join(lines))
    with pytest.raises(ResourceError, match=r"its JSON is damaged in line [45], column"):
        read_record(tmp_path / "game.json")


def _lines(folder: Path, record: Record, exit_code: int | None = None) -> list[str]:
    """Return what ``replay`` prints of a record."""
    write_record(folder / "game.json.gz", record)
    shown = CliRunner().invoke(main, ["replay", str(folder / "game.json.gz")])
    assert exit_code in (None, shown.exit_code), shown.output
    return shown.output.splitlines()


def test_a_record_of_another_schema_is_refused(record: Record) -> None:
    with pytest.raises(StateUnreadable, match="states have schema 99 of starweb") as caught:
        prove(replace(record, schema=99), installed_rulesets())
    assert "install the newer version of starweb" in caught.value.told()


def test_a_record_that_is_too_large_is_refused(tmp_path: Path) -> None:
    large = gzip.decompress(RECORD.read_bytes()).ljust(MOST_READ + 1)
    for name, octets in (("a.json", large), ("a.json.gz", gzip.compress(large))):
        (tmp_path / name).write_bytes(octets)
        with pytest.raises(ResourceError, match="record: cannot be read: larger than 25 MB"):
            read_record(tmp_path / name)


def test_a_file_that_is_not_a_record_is_refused(tmp_path: Path) -> None:
    damaged = bytearray(RECORD.read_bytes())
    damaged[20:200] = bytes(180)
    for name, octets in (
        *(("a.gz", b"x"), ("a.json", b"{}"), ("b.json", b"[1]"), ("c.json", b"x")),
        *(("deep.json", b"[" * 300_000), ("cut.gz", damaged[:-500]), ("damaged.gz", damaged)),
    ):
        (tmp_path / name).write_bytes(octets)
        with pytest.raises(ResourceError, match="record: cannot be read: not a record"):
            read_record(tmp_path / name)


def _say(talk: Conversation, command: str, preview: str, answer: str) -> None:
    """Send a command of the GM, confirm it if there is a preview, and check the answer."""
    gm = talk.person(GM)
    # REPLAY asks only a GM who is not proven.
    writes = "writes unsigned" if command == "REPLAY" else "writes"
    talk.run(f"=== {GM} {writes}\n\nGM SW-1\n{command}\n=== {GM} gets\n{preview or answer}")
    if preview:
        before = len(gm.got)
        while "confirm:" in (asked := gm.got[-1]).subject:
            talk.arrive(gm.reply(asked, "CONFIRM\n", talk.now, {}), asked.reply_to)
        got = [" ".join(letter.text.split()) for letter in gm.got[before:]]
        assert any(answer in text for text in got), got
        # REPLAY changes nothing, so no player is notified.
        others = "" if command == "REPLAY" else "\n=== alpha@example.org gets mail"
        talk.run(f"=== {GM} gets mail{others}")


def _begin(session: Session, talk: Conversation, record: Record) -> None:
    """Set up the recorded game in its first state."""
    house = talk.daemon.app.site
    game = games.create(
        session,
        name=record.game,
        title="Twenty turns",
        ruleset=record.ruleset,
        options=dict(record.options),
        places=len(record.signups),
        seed=record.seed,
        schedule="5 days",
        reminders=[],
        gm=enrol(Desk(session, house, NOON), GM, "", "").person,
        now=NOON,
    )
    for signup in record.signups:
        person = enrol(Desk(session, house, NOON), "alpha@example.org", "", "").person
        games.add_seat(
            session,
            game,
            number=int(signup.seat),
            name=signup.name,
            choices={key: list(wishes) for key, wishes in signup.choices.items()},
            person=person if signup.seat == 1 else None,
            now=NOON,
        )
    game.turn, game.status, game.started_at = 1, GameStatus.RUNNING, NOON
    state = codec.from_json(record.state, RULESET.state_type)
    begin_turn(session, RULESET, game, codec.encode(state))


def _play(talk: Conversation, turns: Sequence[Resolved]) -> None:
    """File the sheets of the turns, and resolve one after the other."""
    with talk.store.write() as session:
        (game,) = games.listing(session)
        for turn in turns:
            letter = _letter(session, f"{game.rollbacks}-{turn.number}")
            for seat in game.seats:
                orders = turn.sheets[str(seat.number)]
                games.file_sheet(session, seat, game.turn, letter, orders, NOON)
            house = talk.daemon.app.site
            resolved = resolve(house, game, brief_of(session, game, NOON))
            adjudication.adjudicate(Desk(session, house, NOON), game, resolved)
    talk.pass_to(talk.now + timedelta(minutes=1))
    talk.run("=== alpha@example.org gets mail")


def _letter(session: Session, number: str) -> InboxLetter:
    letter = InboxLetter(
        source="record",
        source_id=number,
        sha256="",
        size=0,
        raw=b"",
        arrived_at=NOON,
        state=InboxState.READ,
    )
    session.add(letter)
    session.flush()
    return letter


def _digests(talk: Conversation) -> list[str]:
    """Return the digests of the states after the turns that were not undone."""
    with talk.store.read() as session:
        return [row.digest for row in games.turns_of(session, games.listing(session)[0])][1:]


def _undone(talk: Conversation) -> dict[int, list[int]]:
    """Return the turns that each rollback undid."""
    found: dict[int, list[int]] = {}
    with talk.store.read() as session:
        query = select(TurnRow.undone, TurnRow.number).where(TurnRow.undone > 0)
        for rollback, number in session.execute(query.order_by(TurnRow.id)):
            found.setdefault(rollback, []).append(number)
    return found


def rewrite() -> None:
    """Play the game again from the sheets of its record, and store the record."""
    old, reading, turns = read_record(RECORD), OrderReading(), list[Resolved]()
    info = RULESET.info
    options = {**old.options, "game": old.game, "edition": info.edition}
    state = RULESET.setup(old.signups, options, Dice(old.seed))
    first = codec.as_json(codec.encode(state).content)
    for turn in old.turns:
        grammar = RULESET.grammar(RULESET.phase(state))
        orders = {
            Seat(int(seat)): reading(grammar, "\n".join(sheet))
            for seat, sheet in turn.sheets.items()
        }
        resolution = RULESET.resolve(state, orders, frozenset(), Dice(old.seed))
        state = resolution.state
        outcomes = {
            str(seat): [[RULESET.render(o), out.done, out.reason] for o, out in rows]
            for seat, rows in resolution.outcomes.items()
        }
        digest = codec.encode(state).digest
        turns.append(replace(turn, outcomes=outcomes, digest=digest))
    new = replace(old, edition=info.edition, schema=info.schema, state=first, turns=turns)
    write_record(RECORD, new)
    sys.stdout.write(f"{RECORD}: {len(turns)} turns, {RECORD.stat().st_size} bytes\n")


if __name__ == "__main__":
    rewrite()
