"""A letter that is being read: the value that the rules of reading pass on, and its result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from referee.desk.base import reply_limits
from referee.desk.base.desk import Desk
from referee.desk.base.identity import Identity
from referee.desk.base.loaded_games import LoadedGame, lay_begun
from referee.desk.orders import player_text, words
from referee.desk.orders.final_conditions import with_named
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players import privacy
from referee.desk.players.order_sheet import with_standing
from referee.desk.players.votes import with_ballots
from referee.desk.reception import effort
from referee.desk.reception.confirmation_terms import ConfirmationTerms
from referee.desk.reception.letter_limits import repeated
from referee.desk.reception.needs import parted
from referee.desk.reception.sender import Read
from referee.domain.trust import Trust
from referee.letters.incoming.quoting import OwnText
from referee.letters.incoming.screening import Screening
from referee.letters.outgoing.notices import (
    CommandReply,
)
from referee.parsing.body import Body, read_body
from referee.parsing.heading import lone_turn
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail.rate_limits import ReplyBudget
from referee.store.models import InboxLetter

_BY_HAND: Final = (Screening.HUMAN, Screening.MAILING)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a letter, for its row in the inbox; for a pending one, the terms asked."""

    state: InboxState
    note: str
    identity: Identity | None = None
    asked: dict[str, Any] | None = None

    @property
    def is_erased(self) -> bool:
        """Whether everything about its sender was deleted while it was read."""
        return self.identity is not None and privacy.is_forgotten(self.identity.person)

    @property
    def holder(self) -> int | None:
        """The player of the seat for which the letter was read, or None if it was not accepted."""
        identity = self.identity
        if identity is None or not self._is_done or identity.trust is Trust.NONE:
            return None
        return identity.seat.person_id if identity.seat is not None else None

    @property
    def _is_done(self) -> bool:
        """Whether at least a part of the letter was done."""
        return self.state is InboxState.READ or bool(self.asked and self.asked["lines"])


@dataclass(slots=True)
class Case:
    """A letter as the rules so far left it.

    *sender* and *twins* are set when the sender is known, *context* and *body* when the lines are
    read. *now* is the part of the body that is done at once, *asked* the part that waits.
    """

    desk: Desk
    row: InboxLetter
    read: Read
    digest: str | None = None
    sender: Identity = field(init=False)
    twins: Sequence[InboxLetter] = ()
    context: LetterContext = field(init=False)
    body: Body = field(init=False)
    now: Body = field(init=False)
    asked: Body = field(init=False)
    note: str = ""

    @property
    def is_by_hand(self) -> bool:
        """Whether a person wrote the letter."""
        return self.read.screening in _BY_HAND

    def open(self, identity: Identity, said: Sequence[CommandReply] = ()) -> None:
        """Read the lines of the letter, for the seat of *identity*."""
        desk, read = self.desk, self.read
        if identity.game is not None:
            # Lock the game, so that no turn is resolved between reading its state and filing.
            games.lock(desk.session, identity.game)
        table = lay_begun(desk.session, desk.site, identity.game)
        self.context = LetterContext(desk, read.letter, self.row, identity, table, [*said])
        if identity.trust is not Trust.CONFIRMED:
            self.context.screening = read.screening
        by_hand = self.is_by_hand or read.screening is Screening.MARKED
        self.body = _asked_part(_body(self.context, read.own, by_hand=by_hand), self)


@dataclass(frozen=True, slots=True)
class Rule:
    """A step of reading, and why it has its place. It returns a result if the letter ends there."""

    work: Callable[[Case], Result | None]
    why: str


def apply(rules: Sequence[Rule], case: Case) -> Result:
    """Return the result of the first rule that has one; the last of them always has."""
    results = (rule.work(case) for rule in rules)
    return next(result for result in results if result is not None)


def deliver(context: LetterContext, ration: ReplyBudget) -> bool:
    """Post the collected answers that the sender's reply limits allow.

    One that may be a program's is answered only if it changed the orders: a program that answers
    our answers repeats its text, and the same orders change nothing.
    """
    if context.screening is Screening.MARKED and not effort.has_changed_orders(context):
        return False
    return reply_limits.answer(context.desk, context.letters, context.asked(ration))


def _body(context: LetterContext, own: OwnText, *, by_hand: bool) -> Body:
    """Parse the letter, and note the questions that it repeats."""
    body = words.settle(context, _read(context, own, by_hand=by_hand))
    body = with_ballots(context, with_named(body))
    body = with_standing(context, body)
    context.left_out = repeated(body)
    return body


def _read(context: LetterContext, own: OwnText, *, by_hand: bool) -> Body:
    """Parse the letter; text edited in the quote counts only if a person wrote the letter."""
    reader = context.table.reader if context.table is not None else None
    if not by_hand:
        return read_body(player_text.numbered(own.lines), reader)
    identity = context.identity = _with_lone_turn(context.identity, context.table, own)
    context.reading = player_text.read(
        context.desk,
        context.table,
        identity.seat,
        context.letter,
        own,
        identity.turn,
    )
    if context.reading.edited is not None:
        context.identity = replace(context.identity, turn=context.reading.edited.turn)
    return context.reading.body


def _with_lone_turn(identity: Identity, table: LoadedGame | None, own: OwnText) -> Identity:
    """Return the identity with the turn that is the whole first line, as in a heading."""
    named = lone_turn(player_text.numbered(own.lines))
    if table is None or named is None or player_text.is_order(table, named.head):
        return identity
    return replace(identity, turn=named.turn, inherited_turn=None)


def _asked_part(body: Body, case: Case) -> Body:
    """Return the lines of a confirmed letter that waited; the others were done when it came."""
    terms = ConfirmationTerms.kept_with(case.row)
    is_confirmed = case.context.identity.trust is Trust.CONFIRMED
    return parted(body, terms.lines)[1] if terms and terms.lines and is_confirmed else body
