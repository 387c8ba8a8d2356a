"""The book of a game that has ended: its pages, reports and record in one ZIP file."""

import io
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from referee.desk.base.atlases import atlas_to_read
from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import load
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
from referee.desk.reports import game_end
from referee.desk.reports.game_end import OBSERVER, Volume, no_book
from referee.desk.reports.public_reports import send_end
from referee.letters.incoming.decode import text_in
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.end_notices import Book, BookFile, FinalStanding
from referee.pages.document import PageFile
from referee.rules.ruleset import Seat
from referee.store import Session, Store
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import mail_queries
from referee.store.models import Game, OutboxLetter, SeatRow
from referee.store.people import observers
from referee.store.people.observers import Observer

MOST_OCTETS: Final = 5_000_000
"""The size of the largest book that goes with an email."""
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

    The final standings are in the same email, unless they were sent before. The pages take seconds,
    so they are made outside the transaction that sends the books. It checks that nothing has
    changed since; else the books are still due, and are made again.
    """
    with store.read() as session:
        game = games.by_id(session, number)
        before = _mark(session, site, game)
    books: dict[int, bytes] = {}
    if game is not None and before:
        common: list[PageFile] = []
        for file in common_files(store.read, site, number):
            common.append(file)
            yield
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
        books[OBSERVER] = bound(public)
    with store.write() as session:
        locked = agenda.look_at(session, number, AgendaTopic.BOOK, now)
        if locked is not None and _mark(session, site, locked) == before:
            _post(Desk(session, site, now), locked, books)
            agenda.close(session, locked, AgendaTopic.BOOK)
            # Observers who waited for the book go on.
            agenda.schedule(session, locked)


def send_without_books(store: Store, site: Site, number: int, now: datetime) -> None:
    """Send the final standings of a game whose books fail. The books follow, once they are made."""
    with store.write() as session:
        game = agenda.look_at(session, number, AgendaTopic.BOOK, now)
        if game is not None:
            _send_ends(Desk(session, site, now), game, lambda _seat, _octets: (BookFile(), ()))


def _mark(session: Session, site: Site, game: Game | None) -> str:
    """Return the mark of what is in the book, or "" if the game has none."""
    opened = openness(session, game, Audience.PLAYERS) if game is not None else None
    return "" if game is None or opened is None else mark(session, site, game, opened)


def _post(desk: Desk, game: Game, books: Mapping[int, bytes]) -> None:
    volume = partial(_volume, desk.site, game, books) if books else no_book
    if _send_ends(desk, game, volume):
        return
    opened = openness(desk.session, game, Audience.PLAYERS)
    revealed = opened is not None and opened.has_words
    seats, serial = {row.number: row for row in game.seats}, "revealedbook" if revealed else "book"
    readers = [(row.person, row.number) for row in game.seats if row.person is not None]
    readers += [(person, 0) for person in game_end.idle_masters(game)]
    if not revealed:
        # A revealed game has no more for observers.
        readers += [(each.person, OBSERVER) for each in _observers(desk, game)]
    for person, seat in readers:
        bound_book, files = volume(seat, 0)
        if bound_book is not None:
            row = seats.get(seat)
            notice = Book(
                game.name,
                game.title,
                bound_book,
                revealed=revealed,
                seat=row.name if row is not None else "",
                observer=seat == OBSERVER,
            )
            to = Addressing(
                mailbox(person), serial, game=game, seat=row, files=files, can_wait=True
            )
            post(desk, notice, to)


def _send_ends(desk: Desk, game: Game, volume: Callable[[int, int], Volume]) -> bool:
    """Send the final standings, with the book, to everybody; return whether they still lacked."""
    if mail_queries.recipients(desk.session, game, FinalStanding.__name__):
        return False
    game_end.send_last_letters(desk, load(desk.session, desk.site, game), volume)
    for observer in _observers(desk, game):
        send_end(desk, observer, volume)
    return True


def _observers(desk: Desk, game: Game) -> Iterator[Observer]:
    """Yield the observers of the game who neither play in it nor are its GMs."""
    masters = {gm.person_id for gm in game.gms}
    for observer in observers.of(desk.session, game) if game.observers_behind is not None else ():
        if observer.person_id not in masters and not plays(game, observer.person):
            yield observer


def _volume(site: Site, game: Game, books: Mapping[int, bytes], seat: int, octets: int) -> Volume:
    """Return the book of a seat, without its file in an email that would be too large."""
    file = OutgoingFile(f"{game.name.lower()}-book.zip", "application/zip", books[seat])
    if len(file.content) + octets > MOST_OCTETS:
        return BookFile(operator=site.operator), ()
    return BookFile(file.name), (file,)
