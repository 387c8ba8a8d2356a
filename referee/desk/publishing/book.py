"""The book of a game that has ended: its pages, reports and record in one ZIP file."""

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import record_file
from referee.desk.games.record import record_of
from referee.desk.players.privacy import redacted
from referee.desk.publishing.game_pages import Reading, files_of
from referee.desk.publishing.openness import Audience, mark, openness
from referee.letters.incoming.decode import text_in
from referee.letters.outgoing.attachments import OutgoingFile
from referee.letters.outgoing.end_notices import Book
from referee.pages.document import PageFile
from referee.store import Session, Store
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import mail_queries
from referee.store.models import Game, OutboxLetter, SeatRow

MOST_OCTETS: Final = 5_000_000
"""The size of the largest book that goes with an email."""
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""When every file in a book was made, so that the same game gives the same bytes."""
_MODE: Final = 0o100644 << 16


def common_files(reading: Reading, site: Site, number: int) -> Iterator[PageFile]:
    """Yield the files in the book of every player: the pages and the record.

    Like the pages it reads in several transactions, and none is open while the caller has a file.
    """
    yield from files_of(reading, site, number, Audience.PLAYERS)
    with reading() as session:
        game = games.by_id(session, number)
        assert game is not None
        content = record_file.encode(record_of(session, game))
        file = PageFile(f"{game.name.lower()}-record.json", content)
    yield file


def reports_of(session: Session, row: SeatRow) -> Iterator[PageFile]:
    """Yield the reports of a seat as they were emailed, without codes and tokens.

    The last one of a turn is ``turn-02.txt``. Those before it, which a correction, a rollback or
    another report replaced, are ``turn-02-replaced-1.txt`` and so on, the oldest first. A turn that
    was undone for good has only such.
    """
    game = row.game
    # Rules of other authors may allow any name.
    folder = f"reports/{row.number}-{re.sub('[^A-Za-z0-9_-]', '_', row.name)}"
    by_turn: defaultdict[int, list[OutboxLetter]] = defaultdict(list)
    for letter in mail_queries.reports_of(session, game, row.number):
        by_turn[letter.turn or 0].append(letter)
    for turn, letters in sorted(by_turn.items()):
        replaced = letters[:-1] if turn <= game.turn else letters
        for number, letter in enumerate(replaced, 1):
            yield _report(f"{folder}/turn-{turn:02}-replaced-{number}.txt", letter)
        for letter in letters[len(replaced) :]:
            yield _report(f"{folder}/turn-{turn:02}.txt", letter)


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
    books = {0: bound(common)}
    for seat in range(1, len(game.seats) + 1):
        with store.read() as session:
            own = _reports(session, number, seat)
        books[seat] = bound([*common, *own])
        yield
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


def _reports(session: Session, number: int, seat: int) -> list[PageFile]:
    game = games.by_id(session, number)
    rows = game.seats if game is not None else []
    return [file for row in rows if row.number == seat for file in reports_of(session, row)]


def _post(desk: Desk, game: Game, books: dict[int, bytes]) -> None:
    opened = openness(desk.session, game, Audience.PLAYERS)
    revealed = opened is not None and opened.has_words
    for addressing, seat in _readers(game, "revealedbook" if revealed else "book"):
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
            operator=desk.site.operator,
        )
        post(desk, notice, replace(addressing, files=() if is_left_out else files))


def _readers(game: Game, serial: str) -> Iterator[tuple[Addressing, int]]:
    """Yield the addressing for every player and every other GM, with the seat, 0 for a GM."""
    for row in game.seats:
        if row.person is not None:
            to = mailbox(row.person)
            yield Addressing(to, serial, game=game, seat=row, can_wait=True), row.number
    players = {row.person_id for row in game.seats}
    for gm in game.gms:
        if gm.person_id not in players:
            yield Addressing(mailbox(gm.person), serial, game=game, can_wait=True), 0
