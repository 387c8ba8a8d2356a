"""Letters that are held: why, what the address of record is asked, and on what terms it answers."""

from dataclasses import dataclass, replace
from typing import Any

from referee.desk.base.identity import Identity
from referee.desk.gm import messages
from referee.desk.orders.letter_context import LetterContext
from referee.desk.reception import execution
from referee.desk.reception.command_preview import Preview, shown_in, undone
from referee.desk.reception.commands import BINDING, COMMANDS, Effect, effects
from referee.desk.seats import takeover
from referee.domain.commands import (
    Observe,
    StandBy,
    TakeOver,
)
from referee.domain.trust import Trust
from referee.letters.outgoing.notices import Confirmation
from referee.parsing.body import Body, Commanded, PressBlock, StandingBlock
from referee.parsing.commands import COMMAND_WORDS
from referee.parsing.items import Parsed
from referee.parsing.reference import about
from referee.store.models import InboxLetter
from referee.store.people import people

_MOST_NAMED = 3


def hold_reason(context: LetterContext, body: Body) -> str | None:
    """Say why the letter must be confirmed first, or None when it need not be."""
    identity = context.identity
    if identity.trust is Trust.CONFIRMED or execution.is_check(context, body):
        return None
    if identity.deputy is not None:
        # What a deputy may not do he is told at once.
        return _private(context, body)
    if body.has(Observe):
        return "It asks for letters to you, and anybody could have written it."
    if is_consequential(context, body):
        if _only_accepts(context, body):
            return None
        known = identity.is_gm or identity.seat is not None or body.has(TakeOver)
        return "It has consequences that cannot all be undone." if known else None
    if identity.person is None and body.has(StandBy):
        return "We do not know your address yet, and write to nobody who did not ask for it."
    sets = identity.person is not None and Effect.SETS in effects(body)
    if not (sets or (identity.seat is not None and binds(context, body))):
        return None
    return _private(context, body) if identity.is_believed else _disbelief(identity)


def question(context: LetterContext, body: Body, seen: Preview, reason: str) -> Confirmation:
    """Return the letter that asks, which shows what will be done and what will not."""
    return Confirmation(
        game=context.identity.game.name if context.identity.game is not None else "",
        what=_named(body),
        arrived=context.arrived,
        preview=seen.done,
        reason=reason,
        undone=undone(context, body, seen),
    )


def speaks_for_himself(body: Body) -> bool:
    """Return whether the letter wants a seat for its sender, and so speaks for no seat he names."""
    return body.has(StandBy, TakeOver)


def _named(body: Body) -> str:
    """Name in a few words of our own what the letter asks for: its commands above all."""
    names = []
    for item in body.items:
        match item:
            case Commanded():
                names.append(_known_words(item.text))
            case PressBlock():
                names.append("a message")
            case StandingBlock():
                names.append("standing orders")
            case Parsed():
                names.append("orders")
    # What has consequences is named first.
    named = sorted(dict.fromkeys(names), key=lambda name: not name.isupper())
    return ", ".join(named[:_MOST_NAMED]) + (" and more" if len(named) > _MOST_NAMED else "")


def _known_words(text: str) -> str:
    """Return the words that a command begins with, as far as they are ours."""
    words = text.upper().split()
    two = " ".join(words[:2])
    if len(words) > 1 and (about("commands.lark", two) or about("gm.lark", two)):
        return two
    return words[0] if words[0] in COMMAND_WORDS else "a count of orders"


@dataclass(frozen=True, slots=True)
class ConfirmationTerms:
    """Who was asked about a held letter, for which seat and epoch of it, in which turn.

    *shown* is a hash of what he was told that it would do; *moves* counts his changes of address
    until then. *deputy* is the deputy who wrote it.
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
        """Return the terms on which a letter is held now."""
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
        """Return the terms on which the letter was held; None when it never was."""
        return cls(**row.asked) if row.asked is not None else None

    def stored(self) -> dict[str, Any]:
        """Return the terms as they are kept with the letter."""
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
    """Give in whose name a held letter is done, now that it is confirmed.

    None when the seat, its holder or his address is another than the one that was asked. What the
    letter orders is for the turn in which it came.
    """
    if terms.person is None:
        # It was asked of an address that nobody was known by, whoever he has become since.
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
    turn = claimed.turn or terms.turn
    return replace(claimed, trust=Trust.CONFIRMED, person=asked, turn=turn)


def is_consequential(context: LetterContext, body: Body) -> bool:
    """Return whether the letter has a command of consequence, or a message of the GM's."""
    if body.press and messages.is_by_gm(context):
        return True
    return Effect.CONFIRMED in effects(body)


def _only_accepts(context: LetterContext, body: Body) -> bool:
    """Return whether all that has consequences is a yes to the offer of a seat, which said them."""
    if context.identity.offer is None or body.press:
        return False
    commands = [item.command for item in body.commands]
    return all(
        isinstance(command, TakeOver) and takeover.accepts_offer(context, command)
        for command in commands
        if COMMANDS[type(command)].effect is Effect.CONFIRMED
    )


def binds(context: LetterContext, body: Body) -> bool:
    """Return whether the letter does something in a seat's name, and does not merely ask."""
    if (
        body.press
        or effects(body) & BINDING
        or any(isinstance(i, StandingBlock) for i in body.items)
    ):
        return True
    orders = any(isinstance(item, Parsed) for item in body.orders)
    return orders and not execution.is_check(context, body)


def _private(context: LetterContext, body: Body) -> str | None:
    """Say that a message tells who its writer is; a letter with orders is not held for that."""
    orders = any(isinstance(item, Parsed) for item in body.orders)
    shown = [what for block in body.press if (what := shown_in(context, block))]
    if not orders and shown:
        return f"A message in it shows {shown[0]}, which its readers would see."
    return None


def _disbelief(identity: Identity) -> str:
    if identity.wrong_code:
        return "The security code in it is not yours."
    if identity.code_ignored:
        return "Too many wrong security codes came of late, so no code is looked at for now."
    if identity.trust is Trust.NONE:
        return "It did not come from your address."
    return (
        "It is no reply to a report or acknowledgement of ours, bears no signature of your mail "
        "provider that we could check, and has no security code, so anybody could have sent it."
    )
