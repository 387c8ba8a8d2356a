"""Reply budgets: how many letters of one sender are answered, so that no loop lives on."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.site import Site
from referee.letters.outgoing.deputy_notices import DeputyAccepted
from referee.letters.outgoing.notices import (
    Acknowledgement,
    AlreadyReceived,
    AnswersPaused,
    CommandAnswers,
    GameCreated,
    Joined,
    Notice,
    Quarantined,
    Report,
    Unknown,
)
from referee.letters.outgoing.observer_notices import Observing
from referee.letters.outgoing.seat_notices import HandedOver
from referee.store import Session
from referee.store.mail import rate_limits
from referee.store.mail.rate_limits import ReplyBudget
from referee.store.people import people

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)

IDLE_AN_HOUR: Final = 8
"""A program that answers our answers says nothing we can do, so it hears no more than this. A
person who mistypes gets an answer eight times in an hour, and then one that says why no more."""
IDLE_A_DAY: Final = 24
QUESTIONS_AN_HOUR: Final = 12
"""Anybody can write letters in a player's name; his mailbox is not filled with our questions."""
QUESTIONS_A_DAY: Final = 40
STRANGERS_AN_HOUR: Final = 8
"""Whom we do not know may not even have written: the From is anybody's to choose."""
STRANGERS_A_DAY: Final = 20
ALL_STRANGERS_A_DAY: Final = 500

_BINDING: Final = (Joined, GameCreated, HandedOver, Report, DeputyAccepted, Observing)
"""Letters that hold what is told only once, and a newcomer's first report; each costs a seat or a
game, or is asked for by CONFIRM."""


def answer(desk: Desk, letters: Sequence[tuple[Notice, Addressing]], ration: ReplyBudget) -> bool:
    """Post the answers to one letter if their addressee's budget allows, and say whether it did.

    What was asked for is done all the same. The first time that a player's budget is spent he is
    told; a stranger is not.
    """
    for notice, slip in binding(letters):
        post(desk, notice, slip)
    rest = [(notice, slip) for notice, slip in letters if not isinstance(notice, _BINDING)]
    # A letter with two senders, or none, is nobody's to answer.
    if not rest or not rest[0][1].to.address:
        return bool(letters) and not rest
    slip = rest[0][1]
    recipient, thread = slip.to.address, slip.game.name if slip.game is not None else ""
    if recipient != desk.site.operator and not _is_known(desk.session, slip):
        ration = ReplyBudget.STRANGER
    if (span := _spent(desk, recipient, thread, ration)) is not None:
        _tell_once(desk, slip, ration, span)
        return False
    rate_limits.note_answer(desk.session, recipient, thread, ration, desk.now)
    for notice, each in rest:
        post(desk, notice, each)
    return True


def _is_known(session: Session, slip: Addressing) -> bool:
    """Return whether the addressee is somebody the referee has letters with."""
    if slip.seat is not None and slip.seat.person is not None:
        return slip.seat.person.address == slip.to.address
    return people.by_address(session, slip.to.address) is not None


def binding(letters: Sequence[tuple[Notice, Addressing]]) -> list[tuple[Notice, Addressing]]:
    """Return those of the answers that are posted whatever the budget says."""
    return [(notice, slip) for notice, slip in letters if isinstance(notice, _BINDING)]


def ration_of(letters: Sequence[tuple[Notice, Addressing]]) -> ReplyBudget:
    """Return the budget that answers to one letter come from: was there anything to do in it?"""
    return ReplyBudget.IDLE if all(_is_idle(notice) for notice, _ in letters) else ReplyBudget.WORK


def _is_idle(notice: Notice) -> bool:
    match notice:
        case Acknowledgement():
            return not (notice.stands or notice.warned or notice.said)
        case CommandAnswers():
            return not notice.said
        case _:
            return isinstance(notice, Unknown | AlreadyReceived | Quarantined)


def _spent(desk: Desk, recipient: str, thread: str, ration: ReplyBudget) -> timedelta | None:
    """Return the span whose budget is spent, or None."""
    of_thread = thread if ration is ReplyBudget.WORK else None
    spent = rate_limits.spent(desk.session, ration, recipient, desk.now, of_thread)
    an_hour, a_day = _limits(desk.site, ration)
    if spent.day >= a_day:
        return DAY
    if ration is ReplyBudget.STRANGER and rate_limits.answers(
        desk.session, desk.now - DAY, ration
    ) >= (ALL_STRANGERS_A_DAY):
        return DAY
    return HOUR if spent.hour >= an_hour else None


def _limits(site: Site, ration: ReplyBudget) -> tuple[int, int]:
    """Return how many letters are answered in an hour and in a day."""
    match ration:
        case ReplyBudget.WORK:
            return site.answers_an_hour, site.answers_a_day
        case ReplyBudget.QUESTION:
            return QUESTIONS_AN_HOUR, QUESTIONS_A_DAY
        case ReplyBudget.STRANGER:
            return STRANGERS_AN_HOUR, STRANGERS_A_DAY
        case _:
            return IDLE_AN_HOUR, IDLE_A_DAY


def _tell_once(desk: Desk, slip: Addressing, ration: ReplyBudget, span: timedelta) -> None:
    recipient = slip.to.address
    told = rate_limits.answers(desk.session, desk.now - span, ReplyBudget.LAST, recipient=recipient)
    if ration is ReplyBudget.STRANGER or told or slip.answers is None:
        return
    rate_limits.note_answer(desk.session, recipient, "", ReplyBudget.LAST, desk.now)
    last = Addressing(
        slip.to, f"paused{slip.answers.id}", slip.answers, slip.answered_id, slip.game
    )
    post(desk, AnswersPaused("day" if span == DAY else "hour"), last)
