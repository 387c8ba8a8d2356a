"""Reply budgets: limits on the number of answers to one sender, so that mail loops end."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.site import Site
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.deputy_notices import DeputyAccepted
from referee.letters.outgoing.notices import (
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
"""For emails with nothing to do in them, such as those of a program that answers our answers. A
person who mistypes gets eight answers an hour, and then one that explains the pause."""
IDLE_A_DAY: Final = 24
QUESTIONS_AN_HOUR: Final = 12
"""Anyone can write emails in a player's name; our questions must not fill the player's mailbox."""
QUESTIONS_A_DAY: Final = 40
STRANGERS_AN_HOUR: Final = 8
"""A stranger may not have written at all, because anyone can forge From."""
STRANGERS_A_DAY: Final = 20
ALL_STRANGERS_A_DAY: Final = 500

_BINDING: Final = (Joined, GameCreated, HandedOver, Report, DeputyAccepted, Observing)
"""Notices that hold what is sent only once, and a newcomer's first report. Each costs a seat or a
game, or CONFIRM asked for it."""


def answer(desk: Desk, letters: Sequence[tuple[Notice, Addressing]], budget: ReplyBudget) -> bool:
    """Post the answers to one letter if the budget allows; return whether it did.

    The commands were carried out in any case. The first time a player's budget is spent, one letter
    says so; strangers get none.
    """
    for notice, addressing in binding(letters):
        post(desk, notice, addressing)
    rest = [
        (notice, addressing) for notice, addressing in letters if not isinstance(notice, _BINDING)
    ]
    # A letter with two senders, or none, gets no answer.
    if not rest or not rest[0][1].to.address:
        return bool(letters) and not rest
    addressing = rest[0][1]
    recipient, thread = (
        addressing.to.address,
        addressing.game.name if addressing.game is not None else "",
    )
    if recipient != desk.site.operator and not _is_known(desk.session, addressing):
        budget = ReplyBudget.STRANGER
    if (span := _spent(desk, recipient, thread, budget)) is not None:
        _notify_once(desk, addressing, budget, span)
        return False
    rate_limits.note_answer(desk.session, recipient, thread, budget, desk.now)
    for notice, each in rest:
        post(desk, notice, each)
    return True


def _is_known(session: Session, addressing: Addressing) -> bool:
    """Return whether the addressee is a player or another person in the store."""
    if addressing.seat is not None and addressing.seat.person is not None:
        return addressing.seat.person.address == addressing.to.address
    return people.by_address(session, addressing.to.address) is not None


def binding(letters: Sequence[tuple[Notice, Addressing]]) -> list[tuple[Notice, Addressing]]:
    """Return the answers that are posted whatever the budget."""
    return [(notice, addressing) for notice, addressing in letters if isinstance(notice, _BINDING)]


def ration_of(letters: Sequence[tuple[Notice, Addressing]]) -> ReplyBudget:
    """Return the budget that the answers count against: IDLE if there was nothing to do."""
    return ReplyBudget.IDLE if all(_is_idle(notice) for notice, _ in letters) else ReplyBudget.WORK


def _is_idle(notice: Notice) -> bool:
    match notice:
        case Acknowledgement():
            return not (notice.accepted or notice.warned or notice.said)
        case CommandAnswers():
            return not notice.said
        case _:
            return isinstance(notice, Unknown | AlreadyReceived | Quarantined)


def _spent(desk: Desk, recipient: str, thread: str, budget: ReplyBudget) -> timedelta | None:
    """Return the span whose budget is spent, or None."""
    of_thread = thread if budget is ReplyBudget.WORK else None
    spent = rate_limits.spent(desk.session, budget, recipient, desk.now, of_thread)
    an_hour, a_day = _limits(desk.site, budget)
    if spent.day >= a_day:
        return DAY
    if budget is ReplyBudget.STRANGER and rate_limits.answers(
        desk.session, desk.now - DAY, budget
    ) >= (ALL_STRANGERS_A_DAY):
        return DAY
    return HOUR if spent.hour >= an_hour else None


def _limits(site: Site, budget: ReplyBudget) -> tuple[int, int]:
    """Return the largest number of answers in an hour and in a day."""
    match budget:
        case ReplyBudget.WORK:
            return site.answers_an_hour, site.answers_a_day
        case ReplyBudget.QUESTION:
            return QUESTIONS_AN_HOUR, QUESTIONS_A_DAY
        case ReplyBudget.STRANGER:
            return STRANGERS_AN_HOUR, STRANGERS_A_DAY
        case _:
            return IDLE_AN_HOUR, IDLE_A_DAY


def _notify_once(desk: Desk, addressing: Addressing, budget: ReplyBudget, span: timedelta) -> None:
    recipient = addressing.to.address
    was_notified = rate_limits.answers(
        desk.session, desk.now - span, ReplyBudget.LAST, recipient=recipient
    )
    if budget is ReplyBudget.STRANGER or was_notified or addressing.answers is None:
        return
    rate_limits.note_answer(desk.session, recipient, "", ReplyBudget.LAST, desk.now)
    last = Addressing(
        addressing.to,
        f"paused{addressing.answers.id}",
        addressing.answers,
        addressing.answered_id,
        addressing.game,
    )
    post(desk, AnswersPaused("day" if span == DAY else "hour"), last)
