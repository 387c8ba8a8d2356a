"""The book of a game that has ended: its pages, reports and record in one ZIP file."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from referee.desk.base.atlases import atlas_to_read
from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import record_file
from referee.desk.games.record import record_of
from referee.desk.orders.gm_authority import plays
from referee.desk.players.privacy import redacted
from referee.desk.publishing.ended_pages import (
    ATLAS,
    first_page,
    folder_of_reports,
    own_turn,
    record_path,
)
from referee.desk.publishing.game_pages import (
    Reader,
    Reading,
    files_of,
    parts_of,
    turn_files,
    turns_of,
)
from referee.desk.publishing.openness import Audience, mark, openness
from referee.desk.publishing.page_parts import GamePages
from referee.letters.incoming.decode import text_in
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.end_notices import Book
from referee.pages.document import PageFile
from referee.rules.ruleset import Seat
from referee.store import Session, Store
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import mail_queries
from referee.store.models import Game, OutboxLetter, SeatRow
from referee.store.people import observers

MOST_OCTETS: Final = 5_000_000
"""The size of the largest book that goes with an email."""
_OBSERVER: Final = -1
"""In the place of a seat: the book of every observer."""
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""When every file in a book was made, so that the same game gives the same bytes."""
_MODE: Final = 0o100644 << 16


def common_files(reading: Reading, site: Site, number: int) -> Iterator[PageFile]:
    """Yield the files in the book of every player: the page of each turn, and the record.

    Like the pages it reads in several transactions, and none is open while the caller has a file.
    """
    yield from turn_files(reading, site, number, Audience.PLAYERS)
    with reading() as session:
        game = games.by_id(session, number)
        assert game is not None
        content = record_file.encode(record_of(session, game))
        file = PageFile(record_path(game.name), content)
    yield file


def own_files(reading: Reading, site: Site, number: int, seat: int) -> Iterator[PageFile]:
    """Yield the files of one book only, its first page last: all that a seat has seen.

    Seat 0 is a GM, who has only the first page. It reads as ``common_files``.
    """
    reader = Reader(number, Audience.PLAYERS, seat)
    own = list[str]()
    if seat:
        turns = [partial(own_turn, turn) for turn in turns_of(reading, number)]
        for file in parts_of(reading, site, reader, [*turns, _atlas, _reports]):
            own.append(file.path)
            yield file
    yield from parts_of(reading, site, reader, [partial(first_page, own=own)])


def _atlas(pages: GamePages) -> list[PageFile]:
    table, row = pages.table(pages.game.turn), pages.reader
    if table is None or row is None or not table.ruleset.chart(table.state, Seat(row.number)).nodes:
        return []
    return [PageFile(ATLAS, atlas_to_read(pages.session, pages.site, table, row))]


def _reports(pages: GamePages) -> list[PageFile]:
    assert pages.reader is not None
    return list(reports_of(pages.session, pages.reader))


def reports_of(session: Session, row: SeatRow) -> Iterator[PageFile]:
    """Yield the reports of a seat as they were emailed, without codes and tokens.

    The last one of a turn is ``turn-02.txt``. Those before it, which a correction, a rollback or
    another report replaced, are ``turn-02-replaced-1.txt`` and so on, the oldest first. A turn that
    was undone for good has only such.
    """
    game, folder = row.game, folder_of_reports(row)
    by_turn: defaultdict[int, list[OutboxLetter]] = defaultdict(list)
    for letter in mail_queries.reports_of(session, game, row.number):
        by_turn[letter.turn or 0].append(letter)
    for turn, letters in sorted(by_turn.items()):
        replaced = letters[:-1] if turn <= game.turn else letters
        for number, letter in enumerate(replaced, 1):
            yield _report(f"{folder}turn-{turn:02}-replaced-{number}.txt", letter)
        for letter in letters[len(replaced) :]:
            yield _report(f"{folder}turn-{turn:02}.txt", letter)


def _report(path: str, letter: OutboxLetter) -> PageFile:
    text = redacted(text_in(letter.raw))
    return PageFile(path, f"{text.rstrip()}\n".encode())


def bound(files: Iterable[PageFile]) -> bytes:
    """Return the files as a ZIP file; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as book:
        for file in sorted(files, key=lambda each: each.path):
            info = zipfile.ZipInfo(file.path, _MOMENT)
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, _MODE
            info.create_system = 3
            book.writestr(info, file.content)
    return content.getvalue()


def send_books(store: Store, site: Site, number: int, now: datetime) -> Iterator[None]:
    """Email its book to every player and GM of a game that has ended, in small steps.

    The pages take seconds, so they are made outside the transaction that sends the books. It
    checks that nothing has changed since; else the books are still due, and are made again.
    """
    with store.read() as session:
        game = games.by_id(session, number)
        before = _mark(session, site, game)
    if game is None or not before:
        _close(store, number, now)
        return
    common: list[PageFile] = []
    for file in common_files(store.read, site, number):
        common.append(file)
        yield
    books: dict[int, bytes] = {}
    for seat in range(len(game.seats) + 1):
        own: list[PageFile] = []
        for file in own_files(store.read, site, number, seat):
            own.append(file)
            yield
        books[seat] = bound([*common, *own])
    public: list[PageFile] = []
    for file in files_of(store.read, site, number, Audience.OBSERVERS):
        public.append(file)
        yield
    books[_OBSERVER] = bound(public)
    with store.write() as session:
        locked = agenda.look_at(session, number, AgendaTopic.BOOK, now)
        if locked is not None and _mark(session, site, locked) == before:
            _post(Desk(session, site, now), locked, books)
            agenda.close(session, locked, AgendaTopic.BOOK)


def _mark(session: Session, site: Site, game: Game | None) -> str:
    """Return the mark of what is in the book, or "" if the game has none."""
    opened = openness(session, game, Audience.PLAYERS) if game is not None else None
    return "" if game is None or opened is None else mark(session, site, game, opened)


def _close(store: Store, number: int, now: datetime) -> None:
    with store.write() as session:
        game = agenda.look_at(session, number, AgendaTopic.BOOK, now)
        if game is not None:
            agenda.close(session, game, AgendaTopic.BOOK)


def _post(desk: Desk, game: Game, books: dict[int, bytes]) -> None:
    opened = openness(desk.session, game, Audience.PLAYERS)
    revealed = opened is not None and opened.has_words
    for addressing, seat in _readers(desk.session, game, "revealedbook" if revealed else "book"):
        name = f"{game.name.lower()}-book.zip"
        content = books[seat]
        files = (OutgoingFile(name, "application/zip", content),)
        is_left_out = len(content) > MOST_OCTETS
        notice = Book(
            game.name,
            game.title,
            "" if is_left_out else name,
            revealed=revealed,
            seat=addressing.seat.name if addressing.seat is not None else "",
            observer=seat == _OBSERVER,
            operator=desk.site.operator,
        )
        post(desk, notice, replace(addressing, files=() if is_left_out else files))


def _readers(session: Session, game: Game, serial: str) -> Iterator[tuple[Addressing, int]]:
    """Yield the addressing for everybody with a book, and the seat: 0 for a GM.

    An observer gets it once, because a revealed game has no more for them.
    """
    to = partial(Addressing, serial=serial, game=game, can_wait=True)
    for row in game.seats:
        if row.person is not None:
            yield to(mailbox(row.person), seat=row), row.number
    players = {row.person_id for row in game.seats}
    gms = {gm.person_id: gm.person for gm in game.gms if gm.person_id not in players}
    for person in gms.values():
        yield to(mailbox(person)), 0
    served = mail_queries.recipients(session, game, "Book")
    for observer in observers.of(session, game) if game.observers_behind is not None else ():
        person = observer.person
        is_other = person.address not in served and person.id not in gms
        if is_other and not plays(game, person):
            yield to(mailbox(person)), _OBSERVER
