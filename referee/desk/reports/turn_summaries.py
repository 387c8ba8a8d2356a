"""The letter to each GM after a turn, which waits for other turns of theirs that end with it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from referee.desk.base import robots
from referee.desk.base.announcements import current_deadline
from referee.desk.base.desk import Desk
from referee.desk.base.faults import FAILED, Part, try_part
from referee.desk.base.identity import Trust
from referee.desk.base.outbox_writer import Addressing, clock_of, gm_token, mailbox, post
from referee.desk.base.told_turns import news, told_by
from referee.desk.games import gm_lines, vacancies
from referee.desk.orders.gm_authority import plays
from referee.domain.player_settings import LEAST_LEFT
from referee.domain.reliability import Punctuality
from referee.letters.incoming.decode import subject_of
from referee.letters.outgoing.compose import RenderedText
from referee.letters.outgoing.gm_notices import (
    KeptSummary,
    SeatSummary,
    TurnSummaries,
    TurnSummary,
)
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.pairs import Drawn, as_lines
from referee.rules.ruleset import Seat
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import attendance, games
from referee.store.games.games import SheetOrders
from referee.store.mail import digests, mail_queries
from referee.store.mail.digests import PendingNotice
from referee.store.models import Game, InboxLetter, Person, SeatRow, TurnRow
from referee.store.people import people

KIND: Final = TurnSummary.__name__
"""The kind of the notices that are kept until ``send``."""
_TOGETHER: Final = timedelta(minutes=10)
"""The time that a letter waits for other turns that are due."""
_MOST_HELD: Final = 5
"""The most emails without a confirmation that are named."""
_ASKS: Final = "confirm: "
"""How the subject of a question begins before it names the commands."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A turn that was just resolved: *why* at that time, and who sent no orders for it.

    *missed* are those for whom it counts, *standing* those with standing orders. *announced* are
    the public notes of its reports.
    """

    turn: int
    why: str
    missed: frozenset[Seat]
    standing: frozenset[Seat]
    announced: tuple[str, ...]


def keep(desk: Desk, game: Game, resolved: Resolved) -> None:
    """Keep the letter on a turn for each GM of the game, until ``send``."""
    for gm in game.gms:
        least = _least(desk, game, gm.person, resolved)
        whole = partial(_whole, desk, game, gm.person, resolved, least)
        # A letter whose template is torn can be made neither whole nor without its parts.
        words = _words(desk, game, whole) or _words(desk, game, partial(replace, least))
        if words is None:
            continue
        due = _due(desk, game, gm.person)
        digests.keep(
            desk.session,
            gm.person,
            game=game,
            seat=None,
            kind=KIND,
            subject=words.subject,
            text=words.text,
            html=words.html,
            now=desk.now,
            due=due,
        )
        digests.gather(desk.session, gm.person, KIND, due)


def _words(desk: Desk, game: Game, notice: Callable[[], TurnSummary]) -> RenderedText | None:
    """Return the words of a letter on a turn, or None if they cannot be made."""
    return try_part(desk, game, Part.SUMMARY, lambda: desk.site.composer.words(notice()), None)


def send(desk: Desk, notices: Sequence[PendingNotice], bare: Sequence[Drawn]) -> int:
    """Write the letter with the notices for one GM; return the number of letters, 0 or 1.

    *bare* are their words without the reply marker. A person who is no longer GM of a game reads
    nothing of it.
    """
    first = notices[0]
    gm = people.by_id(desk.session, first.person_id)
    led = dict(_led(desk.session, notices, gm))
    both = zip(notices, bare, strict=True)
    own = [(each, words) for each, words in both if each.game_id in led]
    own.sort(key=lambda pair: pair[0].game_id or 0)
    if gm is None or not own:
        return 0
    is_one = len(own) == 1
    letter = TurnSummaries(
        tuple(
            KeptSummary(led[each.game_id or 0].name, each.subject, kept(each) if is_one else words)
            for each, words in own
        )
    )
    serial = f"turns{first.id}"
    if is_one:
        game = led[own[0][0].game_id or 0]
        addressing = Addressing(mailbox(gm), serial, game=game, turn=game.turn)
    else:
        addressing = Addressing(mailbox(gm), serial, token=gm_token(gm, serial, desk.now))
    post(desk, letter, addressing)
    return 1


def kept(notice: PendingNotice) -> Drawn:
    """Return the words of a notice that waited."""
    return Drawn(notice.text, notice.html) if notice.html else as_lines(notice.text)


def _led(
    session: Session, notices: Sequence[PendingNotice], gm: Person | None
) -> Iterator[tuple[int, Game]]:
    """Yield the games of the notices of which the person is a GM, by their ids."""
    for number in {each.game_id for each in notices if each.game_id is not None}:
        game = games.by_id(session, number)
        if game is not None and any(each.person is gm for each in game.gms):
            yield number, game


@dataclass(frozen=True, slots=True)
class _Seats:
    """The orders of the seats of a game in a turn, by seat id: in words, and late ones."""

    sheets: dict[int, str]
    late: Collection[int]
    notes: gm_lines.Notes

    @classmethod
    def of(cls, desk: Desk, game: Game, resolved: Resolved) -> "_Seats":
        session = desk.session
        sheets = games.sheets_for(session, game, resolved.turn)
        met = attendance.of_turn(session, game, resolved.turn)
        late = [seat for seat, punctuality in met.items() if punctuality is Punctuality.LATE]
        in_words = {seat: _in_words(sheet) for seat, sheet in sheets.items()}
        return cls(in_words, late, gm_lines.Notes.of(desk, game))


def _least(desk: Desk, game: Game, gm: Person, resolved: Resolved) -> TurnSummary:
    """Return the letter on a turn without the parts that can fail."""
    return TurnSummary(
        game=game.name,
        turn=resolved.turn,
        resolved=Moment(desk.now, gm.zone),
        why=resolved.why,
        missed=(),
        seats=(
            SeatSummary(f"The list of seats could not be made, {FAILED} SHEETS lists them later."),
        ),
        news=(),
        announced=resolved.announced,
        waiting=(),
        actions=(),
        deadline=current_deadline(game, gm.zone, desk.now),
    )


def _whole(
    desk: Desk, game: Game, gm: Person, resolved: Resolved, least: TurnSummary
) -> TurnSummary:
    seats = _Seats.of(desk, game, resolved)
    told = told_by(desk.session, game, game.turn)
    return replace(
        least,
        missed=tuple(
            row.name for row in game.seats if row.number in resolved.missed and not plays(game, gm)
        ),
        seats=tuple(
            SeatSummary(
                f"{row.name}: {', '.join(_of_seat(desk, row, gm, resolved, seats))}",
                "" if plays(game, gm) else _heaviest(told, Seat(row.number)),
            )
            for row in game.seats
        ),
        news=tuple(news(told, None)),
        waiting=tuple(_waiting(desk, game, gm, resolved)),
        actions=tuple(gm_lines.actions(desk, game, gm)),
    )


def _heaviest(told: Sequence[TurnRow], seat: Seat) -> str:
    """Return the heaviest of the news that are for this seat and not for all, or ""."""
    own = (event for event in news(told, seat) if event.audience is not None)
    return next((event.told or event.text for event in own), "")


def _of_seat(
    desk: Desk, row: SeatRow, gm: Person, resolved: Resolved, seats: _Seats
) -> Iterator[str]:
    """Yield the part of a seat in the turn that SHEETS and STATUS show to this GM."""
    if row.eliminated:
        yield "eliminated"
        return
    if row.person is None:
        yield robots.without_player(row)
    elif row.id in seats.sheets:
        yield seats.sheets[row.id]
        if row.id in seats.late and not plays(row.game, gm):
            yield "late"
    elif plays(row.game, gm):
        yield "nothing on file"
        yield from ["standing orders run"] * bool(row.standing)
    elif row.number in resolved.missed:
        limit = ", the limit of this game" if row.missed == row.game.missed_limit else ""
        yield f"{gm_lines.turns_missed(row)}{limit}"
    else:
        yield "standing orders ran" if row.number in resolved.standing else "nothing on file"
    if row.offered_at is not None:
        yield "offered to standbys"
        if not vacancies.takers(desk.session, row):
            yield f"but there are none now (REPLACE {row.name} gives it to someone you know)"
    yield from seats.notes.on(row, gm)


def _in_words(sheet: SheetOrders) -> str:
    words = counted(len(sheet.orders), "order") if sheet.orders else "an empty sheet"
    return f"{words} by a GM" if sheet.by_gm else words


def _waiting(desk: Desk, game: Game, gm: Person, resolved: Resolved) -> Iterator[str]:
    """Yield the lines about orders that came too late, and about emails to confirm."""
    for refusal in mail_queries.refusals(desk.session, game, resolved.turn):
        refused = mail_queries.refused_by(desk.session, game, refusal)
        if refused is None:
            continue
        row, letter = refused
        called = f"{row.name} #{letter.receipt}"
        yield (
            f"{called} came too late. Once its turn is played again (ROLLBACK), ACCEPT LATE "
            f"{called} makes it count."
        )
    since = games.began(desk.session, game, resolved.turn)
    held = [it for it in mail_queries.held_of(desk.session, game, gm) if it.arrived_at > since]
    yield from (_held(desk, letter, gm) for letter in held[:_MOST_HELD])
    if (left := len(held) - _MOST_HELD) > 0:
        yield f"{counted(left, 'more email')} of yours without CONFIRM."


def _held(desk: Desk, letter: InboxLetter, gm: Person) -> str:
    """Return the commands that wait for a confirmation, as the question about them names them."""
    question = mail_queries.question_about(desk.session, letter)
    subject = subject_of(question.raw) if question is not None else ""
    what = subject.partition(_ASKS)[2] or "What you wrote"
    arrived = Moment(letter.arrived_at, gm.zone)
    if Trust.of(letter).is_believed:
        return f"{what} in your email of {arrived}: reply with CONFIRM to our question about it."
    return (
        f"{what} in an email of {arrived} in your name, which anyone could have sent: if it is "
        "yours, reply with CONFIRM to our question about it. If not, do nothing."
    )


def _due(desk: Desk, game: Game, gm: Person) -> datetime:
    """Return when the letter is sent: soon if other turns end now, and not in quiet hours."""
    ends = any(each is not game for each in games.ending_of(desk.session, gm, desk.now))
    due = desk.now + _TOGETHER if ends else desk.now
    later = clock_of(gm).after_quiet(due)
    deadline = game.deadline_at
    return later if deadline is None or later <= deadline - LEAST_LEFT else due
