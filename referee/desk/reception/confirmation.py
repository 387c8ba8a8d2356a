"""Pending letters: why they wait, what the primary address is asked, and on which terms."""

from dataclasses import dataclass, replace
from typing import Any, Final

from referee.desk.base.identity import Identity
from referee.desk.gm import messages
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception import execution
from referee.desk.reception.command_preview import Preview, shown_in, undone
from referee.desk.reception.commands import BINDING, COMMANDS, Effect, effects
from referee.desk.seats import takeover
from referee.domain.commands import Broadcast, Observe, Resign, StandBy, Start, TakeOver
from referee.domain.gm_commands import (
    Adjudicate,
    EndGame,
    Invite,
    MoveEdition,
    Remind,
    Resend,
    Reveal,
    Rollback,
)
from referee.domain.trust import Trust
from referee.letters.outgoing.notices import Confirmation
from referee.parsing.body import Body, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.commands import COMMAND_WORDS
from referee.parsing.items import Parsed
from referee.parsing.reference import about
from referee.store.models import InboxLetter
from referee.store.people import people

_MOST_NAMED = 3
_IRREVOCABLE: Final = (
    Adjudicate,
    Broadcast,
    EndGame,
    Invite,
    MoveEdition,
    Remind,
    Resend,
    Resign,
    Reveal,
    Rollback,
    Start,
    TakeOver,
)
"""The commands whose effects cannot all be undone, as docs/gamemasters.md lists them for GMs."""


def hold_reason(context: LetterContext, body: Body) -> str | None:
    """Return why the letter must be confirmed first, or None if it need not be."""
    identity = context.identity
    if identity.trust is Trust.CONFIRMED or execution.is_check(context, body):
        return None
    if identity.deputy is not None:
        # Any refusal to a deputy is answered at once, so only privacy can make the letter wait.
        return _privacy_reason(context, body)
    if body.has(Observe):
        return "It asks us to send you emails, and anyone could have written it."
    if is_consequential(context, body):
        if _only_accepts(context, body):
            return None
        known = identity.is_gm or identity.seat is not None or body.has(TakeOver)
        return _consequences(body) if known else None
    if identity.person is None and body.has(StandBy):
        return "We do not know your address yet, and write only to people who asked for it."
    sets = identity.person is not None and Effect.SETS in effects(body)
    if not (sets or (identity.seat is not None and binds(context, body))):
        return None
    return _privacy_reason(context, body) if identity.is_believed else _unverified_reason(identity)


def question(context: LetterContext, body: Body, seen: Preview, reason: str) -> Confirmation:
    """Return the question to the sender, with what will and will not be done."""
    return Confirmation(
        game=context.identity.game.name if context.identity.game is not None else "",
        what=_named(seen.possible(body)),
        arrived=context.arrived,
        preview=seen.done,
        reason=reason,
        undone=undone(context, body, seen),
    )


def asks_for_seat(body: Body) -> bool:
    """Return whether the letter asks for a seat for its sender, so it acts for no seat it names."""
    return body.has(StandBy, TakeOver)


def _named(body: Body) -> str:
    """Return a few words for what the letter asks for, commands first."""
    names = []
    for item in body.items:
        match item:
            case ParsedCommand():
                names.append(_known_words(item.text))
            case PressBlock():
                names.append("a message")
            case StandingBlock():
                names.append("standing orders")
            case Parsed(leaves=leaves):
                names.append(item.text.upper() if leaves else "orders")
    # Commands come first, because they are what has consequences.
    named = sorted(dict.fromkeys(names), key=lambda name: not name.isupper())
    return ", ".join(named[:_MOST_NAMED]) + (" and more" if len(named) > _MOST_NAMED else "")


def _known_words(text: str) -> str:
    """Return the first one or two words of a command, but only if they are ours."""
    words = text.upper().split()
    two = " ".join(words[:2])
    if len(words) > 1 and (about("commands.lark", two) or about("gm.lark", two)):
        return two
    return words[0] if words[0] in COMMAND_WORDS else "a count of orders"


@dataclass(frozen=True, slots=True)
class ConfirmationTerms:
    """The terms of a pending letter: who was asked, for which seat and epoch, in which turn.

    *shown* is a hash of the preview they were shown. *moves* counts their changes of address until
    then. *deputy* is the deputy who wrote the letter.
    """

    person: int | None
    seat: int | None
    epoch: int | None
    turn: int | None
    shown: str = ""
    moves: int = 0
    deputy: int | None = None

    @classmethod
    def of(cls, identity: Identity, shown: str = "") -> "ConfirmationTerms":
        """Return the terms under which a letter would be pending now."""
        seat, game = identity.seat, identity.game
        deputy = identity.deputy
        asked = seat.person if seat is not None and deputy is None else identity.person
        return cls(
            person=asked.id if asked is not None else None,
            seat=seat.id if seat is not None else None,
            epoch=seat.epoch if seat is not None else None,
            turn=game.turn if game is not None and game.turn else None,
            shown=shown,
            moves=asked.moves if asked is not None else 0,
            deputy=deputy.id if deputy is not None else None,
        )

    @classmethod
    def kept_with(cls, row: InboxLetter) -> "ConfirmationTerms | None":
        """Return the terms stored with the letter, or None if it was never pending."""
        return cls(**row.asked) if row.asked is not None else None

    def stored(self) -> dict[str, Any]:
        """Return the terms as they are stored with the letter."""
        return {
            "person": self.person,
            "seat": self.seat,
            "epoch": self.epoch,
            "turn": self.turn,
            "shown": self.shown,
            "moves": self.moves,
            "deputy": self.deputy,
        }


def confirmed(
    context: LetterContext, claimed: Identity, terms: ConfirmationTerms
) -> Identity | None:
    """Return in whose name a pending letter is carried out, now that it is confirmed.

    None if the seat, its player or their address has changed since the question. The letter's
    orders are for the turn in which it came.
    """
    if terms.person is None:
        # The address was unknown when it was asked, so a seat acquired since does not count.
        return replace(claimed, trust=Trust.CONFIRMED, seat=None, claims_seat=False)
    if terms.seat is None:
        claimed = replace(claimed, seat=None, claims_seat=False)
    now = ConfirmationTerms.of(claimed)
    if replace(now, turn=terms.turn, shown=terms.shown) != terms:
        return None
    deputy = claimed.deputy
    if deputy is not None and not deputy.may_order(context.row.arrived_at):
        return None
    asked = people.by_id(context.session, terms.person)
    turn = claimed.turn if claimed.turn is not None else terms.turn
    return replace(claimed, trust=Trust.CONFIRMED, person=asked, turn=turn)


def is_consequential(context: LetterContext, body: Body) -> bool:
    """Return whether the letter has a command or order of consequence, or a message by the GM."""
    if body.press and messages.is_by_gm(context):
        return True
    return Effect.CONFIRMED in effects(body) or bool(_leaving(body))


def _only_accepts(context: LetterContext, body: Body) -> bool:
    """Return whether its only consequence is a yes to a seat offer, which stated it."""
    if context.identity.offer is None or body.press or _leaving(body):
        return False
    commands = [item.command for item in body.commands]
    return all(
        isinstance(command, TakeOver) and takeover.accepts_offer(context, command)
        for command in commands
        if COMMANDS[type(command)].effect is Effect.CONFIRMED
    )


def binds(context: LetterContext, body: Body) -> bool:
    """Return whether the letter acts in a seat's name and is not only a question."""
    if (
        body.press
        or effects(body) & BINDING
        or any(isinstance(i, StandingBlock) for i in body.items)
    ):
        return True
    orders = any(isinstance(item, Parsed) for item in body.orders)
    return orders and not execution.is_check(context, body)


def _privacy_reason(context: LetterContext, body: Body) -> str | None:
    """Return a warning if a message reveals its sender, or None; None too if there are orders."""
    orders = any(isinstance(item, Parsed) for item in body.orders)
    shown = [what for block in body.press if (what := shown_in(context, block))]
    if not orders and shown:
        return f"A message in it contains {shown[0]}, which its readers would see."
    return None


def _leaving(body: Body) -> list[Parsed]:
    """Return the orders that end the game of their own player."""
    return [item for item in body.items if isinstance(item, Parsed) and item.leaves]


def _consequences(body: Body) -> str:
    if body.press or _leaving(body) or body.has(*_IRREVOCABLE):
        return "It has consequences that cannot all be undone."
    return "We ask before a command that changes the game."


def _unverified_reason(identity: Identity) -> str:
    if identity.wrong_code:
        return "The security code in it is not yours."
    if identity.code_ignored:
        return "We received too many wrong security codes, so we ignore all codes for now."
    if identity.trust is Trust.NONE:
        return "It did not come from your address."
    return (
        "It is not a reply to one of our reports or acknowledgements. It has no signature of your "
        "mail provider that we could check, and no security code, so anyone could have sent it."
    )
