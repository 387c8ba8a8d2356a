"""Compression of old letters and states: no data is lost, and the file shrinks."""

import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from referee.app import build, build_site, retention_of
from referee.cli import main
from referee.daemon.housekeeping import Chore, Housekeeping
from referee.desk.games.record import record_of
from referee.desk.games.replay import replay
from referee.domain.mail_transfer import IncomingMail
from referee.domain.retention import Retention
from referee.errors import ClaimLost
from referee.letters.incoming.screening import without_spare_headers
from referee.plugins import installed_rulesets
from referee.settings import load
from referee.store import Store
from referee.store.database.base import Bundle
from referee.store.database.bundle_format import unpack
from referee.store.games import games
from referee.store.letter_states import InboxState, OutboxState
from referee.store.mail import bookings, bundling, inbox, mail_queries, outbox
from referee.store.mail.bookings import Booking, Purse
from referee.store.models import InboxLetter, OutboxLetter, TurnRow
from referee.testing.conversation import Conversation
from referee.testing.faults import run
from tests.store.rows import outgoing
from tests.support.databases import Databases
from tests.support.examples import mostly_slow

FOLDER = Path(__file__).parents[1] / "conversations"
NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
QUIET = NOON + timedelta(days=2)
"""A time when nothing is due."""
MUCH_LATER = NOON + timedelta(days=400)
AT_ONCE = Retention(timedelta(0), strangers=None, unproven=None, ignored=None, quarantined=None)
PLAYED = "history.txt"
TALKS = ("history", "gm_undoing", "handover")
SETTINGS = """
[site]
address = "games@referee.example"
operator = "operator@referee.example"
[sending]
kind = "maildir"
path = "sent"
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the settings and the database of a site with a played game."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "referee.toml").write_text(SETTINGS)
    build(load(folder / "referee.toml")).close()
    with pytest.MonkeyPatch.context() as patch:
        store = Store(f"sqlite:///{folder / 'state' / 'referee.db'}")
        patch.setattr(Conversation, "new_store", staticmethod(lambda: store))
        with closing(Conversation(installed_rulesets())) as conversation:
            conversation.run((FOLDER / PLAYED).read_text(encoding="utf-8"))
            conversation.arrive(b"From: x@y.example\nMessage-ID: <1@y>\nSubject: hi\n\nhello\n")
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder."""
    (tmp_path / "state").mkdir()
    for name in ("referee.toml", "state/referee.db", "state/secret"):
        (tmp_path / name).write_bytes((played / name).read_bytes())
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    store = opened(folder)
    yield store
    store.close()


def opened(folder: Path) -> Store:
    return Store(f"sqlite:///{folder / 'state' / 'referee.db'}")


def tidy(store: Store, retention: Retention = AT_ONCE, now: datetime = MUCH_LATER) -> set[Chore]:
    return {result.chore for result in Housekeeping(store, retention).do_all(now)}


def held(store: Store) -> dict[str, Any]:
    """Return all data that is read from letters and turns; of letters in, the headers needed."""
    with store.read() as session:
        return {
            "in": {
                row.id: without_spare_headers(row.raw)
                for row in session.scalars(select(InboxLetter))
            },
            "out": {row.id: row.raw for row in session.scalars(select(OutboxLetter))},
            "turns": {row.id: row.state for row in session.scalars(select(TurnRow))},
        }


@pytest.mark.slow
def test_bundled_letters_and_states_are_read_as_before(store: Store) -> None:
    before = held(store)
    assert Chore.BUNDLE in tidy(store)
    with store.read() as session:
        apart = select(TurnRow).where(TurnRow.stored != b"")
        assert {row.resolved_at for row in session.scalars(apart)} == {None}
        assert session.scalar(select(func.count()).select_from(Bundle)) == 1
    assert held(store) == before


@pytest.mark.slow
def test_a_bundle_is_unpacked_once_for_all_replies_to_its_letters(store: Store) -> None:
    tidy(store)
    unpack.cache_clear()
    for _ in range(2):
        with store.read() as session:
            for message_id in session.scalars(select(OutboxLetter.message_id)):
                found = mail_queries.letter_called(session, message_id.strip("<>"))
                assert found is not None
                assert found.raw
    assert unpack.cache_info().misses == 1


@pytest.mark.slow
def test_a_bundled_game_is_replayed_and_recorded_as_before(folder: Path, store: Store) -> None:
    with store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        before = record_of(session, game)
    tidy(store)
    with store.read() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        assert record_of(session, game) == before
        assert len(before.turns) == 1
        house = build_site(load(folder / "referee.toml"), store)
        assert replay(session, house, game) == []


@pytest.mark.slow
def test_a_bundle_takes_a_fraction_of_the_space(store: Store) -> None:
    before = octets(store)
    tidy(store)
    store.rebuild()
    assert store.room().free == 0
    assert octets(store) < before // 2


def octets(store: Store) -> int:
    """Return the total stored size of all letters and states in bytes."""
    columns = (InboxLetter.stored, OutboxLetter.stored, TurnRow.stored, Bundle.content)
    with store.read() as session:
        return sum(session.scalar(select(func.sum(func.length(each)))) or 0 for each in columns)


@pytest.mark.slow
def test_deleted_data_frees_disk_space(folder: Path, store: Store) -> None:
    with store.write() as session:
        for number in range(100):
            words = random.Random(number).randbytes(50_000)
            inbox.insert(session, IncomingMail("test", f"great {number}", words, NOON))
        for letter in session.scalars(select(InboxLetter).where(InboxLetter.source_id > "great")):
            letter.state, letter.read_at = InboxState.IGNORED, NOON
    before = store.room()
    assert before.taken > 5_000_000
    assert tidy(store, Retention()) >= {Chore.EMPTY, Chore.SHRINK}
    after = store.room()
    assert after.taken < before.taken - 3_000_000
    store.close()
    assert (folder / "state" / "referee.db").stat().st_size == after.taken


@pytest.mark.slow
@pytest.mark.parametrize("talk", mostly_slow(TALKS))
def test_bundling_is_invisible_in_letters(talk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = Conversation._step

    def tidying(conversation: Conversation) -> None:
        step(conversation)
        tidy(conversation.store, now=conversation.now + timedelta(hours=1))

    monkeypatch.setattr(Conversation, "_step", tidying)
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run((FOLDER / f"{talk}.txt").read_text(encoding="utf-8"))
        with conversation.store.read() as session:
            assert session.scalar(select(func.count()).select_from(Bundle))


@pytest.mark.slow
@pytest.mark.live
def test_postgresql_bundles_and_vacuums(
    databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = databases.store()
    monkeypatch.setattr(Conversation, "new_store", staticmethod(lambda: store))
    with closing(Conversation(installed_rulesets())) as conversation:
        conversation.run((FOLDER / PLAYED).read_text(encoding="utf-8"))
        before = held(store)
        assert tidy(store) == {Chore.BUNDLE, Chore.FORGET}
        store.rebuild()
        assert held(store) == before
        assert store.room().taken > 0


@pytest.mark.slow
@pytest.mark.sqlite("a house that was played in a file")
def test_a_letter_without_a_game_is_emptied_but_still_known(folder: Path) -> None:
    app = build(load(folder / "referee.toml"))
    assert Chore.EMPTY in tidy(app.store, Retention())
    raw = b"From: x@y.example\nMessage-ID: <1@y>\nSubject: hi\n\nhello\n"
    with app.store.read() as session:
        found = session.scalars(select(InboxLetter).order_by(InboxLetter.id.desc())).first()
        assert found is not None
        assert (found.raw, found.writer) == (b"", "")
        assert (found.emptied_at, found.game_id) == (MUCH_LATER, None)
        source, number = found.source, found.source_id
    assert app.accept(IncomingMail(source, number, raw, MUCH_LATER)) == found.id
    with app.store.read() as session:
        assert inbox.by_id(session, found.id + 1) is None
    app.close()


@pytest.mark.slow
def test_letters_are_emptied_after_their_own_spans(store: Store) -> None:
    with store.write() as session:
        numbers = [
            inbox.insert(session, IncomingMail("test", state.value, b"words", NOON))
            for state in InboxState
        ]
        for number, state in zip(numbers, InboxState, strict=True):
            letter = inbox.by_id(session, number)
            assert letter is not None
            letter.state, letter.read_at = state, NOON
        letter = inbox.by_id(session, numbers[1])
        assert letter is not None
        letter.trust = "token"
    for days, left in ((29, 6), (31, 4), (89, 4), (91, 3), (364, 3), (366, 1), (10_000, 1)):
        tidy(store, Retention(bundled=None), NOON + timedelta(days=days))
        with store.read() as session:
            letters = session.scalars(select(InboxLetter).where(InboxLetter.id.in_(numbers)))
            whole = {letter.state for letter in letters if letter.raw}
        assert len(whole) == left
    assert whole == {InboxState.WAITING}


@pytest.mark.slow
def test_the_letter_of_an_unknown_sender_is_emptied_after_thirty_days(store: Store) -> None:
    with store.write() as session:
        number = inbox.insert(session, IncomingMail("apart", "1", b"words", NOON))
        letter = session.get_one(InboxLetter, number)
        letter.state, letter.read_at, letter.trust = InboxState.READ, NOON, "none"
    for days, words in ((29, b"words"), (31, b"")):
        tidy(store, Retention(bundled=None), NOON + timedelta(days=days))
        with store.read() as session:
            assert session.get_one(InboxLetter, number).raw == words


@pytest.mark.slow
def test_a_letter_that_nobody_confirms_lapses_whatever_game_it_is_for(store: Store) -> None:
    with store.write() as session:
        number = inbox.insert(session, IncomingMail("apart", "1", b"words", NOON))
        letter = session.get_one(InboxLetter, number)
        game = games.by_name(session, "SW-1")
        assert game is not None
        letter.state, letter.read_at, letter.game_id = InboxState.HELD, NOON, game.id
    for days, state in ((29, InboxState.HELD), (31, InboxState.IGNORED)):
        tidy(store, Retention(bundled=None), NOON + timedelta(days=days))
        with store.read() as session:
            letter = session.get_one(InboxLetter, number)
            assert letter.state is state
    assert (letter.raw, letter.note) == (b"", "not confirmed in time")


@pytest.mark.slow
@pytest.mark.parametrize("bundled", [None, timedelta(0)])
def test_bytes_are_kept_while_another_letter_needs_them(
    store: Store, bundled: timedelta | None
) -> None:
    """Empty the first of three letters with the same bytes, of which one is of a game."""
    with store.write() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        numbers = [
            inbox.insert(session, IncomingMail("apart", str(n), b"words", NOON)) for n in range(3)
        ]
        for number in numbers:
            letter = session.get_one(InboxLetter, number)
            letter.state, letter.read_at = InboxState.READ, NOON
        letter.game_id = game.id
    tidy(store, Retention(bundled=bundled))
    with store.read() as session:
        found = [session.get_one(InboxLetter, number).raw for number in numbers]
    assert found[1:] == [b"", b"words"]
    # Once the letter of the game is in a bundle, nobody needs the first row.
    tidy(store, Retention(bundled=bundled))
    with store.read() as session:
        first = session.get_one(InboxLetter, numbers[0]).raw
        assert session.get_one(InboxLetter, numbers[2]).raw == b"words"
    assert first == (b"words" if bundled is None else b"")


@pytest.mark.slow
def test_emptied_letters_are_neither_released_nor_sent_again(store: Store) -> None:
    with store.write() as session:
        number = inbox.insert(session, IncomingMail("test", "of nobody", b"words", NOON))
        letter = inbox.by_id(session, number)
        assert letter is not None
        letter.state, letter.read_at = InboxState.QUARANTINED, NOON
        finished = outbox.Finished(
            message_id="<1@here>",
            kind="Unknown",
            envelope_sender="games@referee.example",
            recipient="x@y.example",
            raw=b"words",
        )
        outbox.put(session, NOON, finished)
        sent = outgoing(session, "<1@here>")
        sent.state = OutboxState.FAILED
    tidy(store, Retention())
    with store.write() as session:
        assert inbox.release(session, number) is None
        assert outbox.retry(session, sent.id, MUCH_LATER) is None
        outbox.put(session, MUCH_LATER, replace(finished, raw=b"again"))
        again = outgoing(session, "<1@here>")
        assert (again.id, again.raw) == (sent.id, b"")


@pytest.mark.slow
def test_a_span_of_never_deletes_nothing(store: Store) -> None:
    before = held(store)
    never = Retention(None, None, None, None, None)
    assert tidy(store, never, NOON + timedelta(days=10_000)) <= {Chore.FORGET, Chore.SHRINK}
    assert held(store) == before


def test_bookings_are_deleted_once_no_share_needs_them(store: Store) -> None:
    with store.write() as session:
        for hours in (0, 24, 47, 49):
            at = MUCH_LATER - timedelta(hours=hours)
            bookings.add(session, {Purse("IDLE", "CLAIMED x@y.example"): 1}, at)
    tidy(store)
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Booking)) == 3


def test_housekeeping_waits_while_a_letter_waits(store: Store) -> None:
    with store.write() as session:
        number = inbox.insert(session, IncomingMail("test", "later", b"words", NOON))
    housekeeping = Housekeeping(store, AT_ONCE)
    assert housekeeping.run(QUIET) == 0
    with store.write() as session:
        letter = inbox.by_id(session, number)
        assert letter is not None
        letter.state = InboxState.READ
    assert housekeeping.run(QUIET + timedelta(seconds=1)) > 0


def test_housekeeping_goes_on_when_the_clock_is_no_longer_ahead(store: Store) -> None:
    housekeeping = Housekeeping(store, Retention(bundled=None))
    while housekeeping.run(QUIET + timedelta(days=2)):
        pass
    long_ago = QUIET - timedelta(days=31)
    with store.write() as session:
        number = inbox.insert(session, IncomingMail("apart", "1", b"words", long_ago))
        letter = session.get_one(InboxLetter, number)
        letter.state, letter.read_at, letter.trust = InboxState.READ, long_ago, "none"
    assert housekeeping.run(QUIET) > 0


def test_a_row_that_changed_is_not_bundled(store: Store) -> None:
    before = held(store)
    with store.read() as session:
        gathered = bundling.gather(session, MUCH_LATER, timedelta(0))
    assert gathered is not None
    content = bundling.packed(gathered.rows)
    tidy(store)
    with pytest.raises(ClaimLost), store.write() as session:
        bundling.keep(session, gathered, content, MUCH_LATER)
    assert held(store) == before


@pytest.mark.slow
def test_a_crash_at_any_point_loses_nothing(folder: Path) -> None:
    store = opened(folder)
    before = held(store)
    store.close()
    database = folder / "state" / "referee.db"
    whole = database.read_bytes()

    def deed() -> None:
        fresh = opened(folder)
        tidy(fresh)
        fresh.close()

    points = run(deed, folder).points
    assert points.count("commit") >= 2
    for at in range(1, len(points) + 1):
        for file in database.parent.glob("referee.db-*"):
            file.unlink()
        database.write_bytes(whole)
        assert run(deed, folder, at).killed
        run(deed, folder)
        store = opened(folder)
        assert held(store) == before
        with store.read() as session:
            assert session.scalar(select(func.count()).select_from(Bundle)) == 1
        store.close()


@pytest.mark.sqlite("a house that was played in a file")
def test_the_operator_can_run_housekeeping(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.cli.tidy.now", lambda: MUCH_LATER)
    runner = CliRunner()
    command = ["--settings", str(folder / "referee.toml"), "tidy", "--rebuild"]
    first, second = runner.invoke(main, command), runner.invoke(main, command)
    assert first.exit_code == 0, first.output
    counts = [int(line.split()[0]) for line in first.output.splitlines()[:3]]
    assert all(counts)
    assert first.output.splitlines()[2].endswith(" old emails and states compressed")
    assert first.output.splitlines()[4].startswith("The database had ")
    assert [int(line.split()[0]) for line in second.output.splitlines()[:3]] == [0, 0, 0]
    shown = runner.invoke(main, [*command[:2], "mail", "show", "1"])
    assert "CREATE STARWEB" in shown.output


def test_the_settings_give_the_spans(folder: Path) -> None:
    with (folder / "referee.toml").open("a") as file:
        file.write("[retention]\nbundle_days = 7\nquarantined_days = 0\n")
    retention = retention_of(load(folder / "referee.toml"))
    assert retention == Retention(
        bundled=timedelta(days=7),
        strangers=timedelta(days=365),
        ignored=timedelta(days=90),
        quarantined=None,
    )
