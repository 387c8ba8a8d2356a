"""The proof that each part of a letter needs, and the parts that wait for an answer.

A line waits if ASKED says so for what it needs and how far its sender is proven. Besides, orders
in doubt wait, and FINAL waits with whatever waits.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Final

from referee.desk.base.identity import Identity
from referee.desk.gm import messages
from referee.desk.orders import deputy_rights, doubt, final_conditions
from referee.desk.orders.command_entries import Effect, For
from referee.desk.orders.letter_context import LetterContext
from referee.desk.players.press import repeated_in, shown_in
from referee.desk.reception import execution
from referee.desk.reception.command_preview import is_change
from referee.desk.reception.commands import COMMANDS, INSPECTIONS, SENDERS
from referee.desk.seats import takeover
from referee.domain.commands import Add, Cancel, Clear, Command, TakeOver, Wait
from referee.domain.commands import Final as Finish
from referee.domain.trust import Trust
from referee.parsing.body import (
    Body,
    DiaryBlock,
    Item,
    ParsedCommand,
    PressBlock,
    StandingBlock,
)
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import UserError


class Need(Enum):
    """The use that a line makes of its sender's rights."""

    LOOK = auto()
    """Asks, or says how the letter is read. So is a line that is refused, whoever wrote it."""
    COSTLY = auto()
    """A question of a GM that costs much."""
    ENTER = auto()
    """Enters the sender somewhere."""
    OWN = auto()
    """Acts in the sender's name, and can be taken back."""
    LASTING = auto()
    """Has consequences that its sender must have seen."""
    SHOWN = auto()
    """Accepts an offer that stated its consequences."""


class Evidence(Enum):
    """The proof in a letter of who wrote it, from the least to the most."""

    ELSEWHERE = auto()
    """Sent to another person's reply address, or in the form of a vacation note."""
    CLAIMED = auto()
    """Only the address in From."""
    MAILBOX = auto()
    """The owner of that address, whom we do not know."""
    OWNER = auto()
    """The person who holds the seat: by reply address, code, signature or the game's word."""
    CONFIRMED = auto()
    """Asked, and said yes."""


ASKED: Final[Mapping[Evidence, frozenset[Need]]] = {
    Evidence.ELSEWHERE: frozenset(Need),
    Evidence.CLAIMED: frozenset(Need) - {Need.LOOK},
    Evidence.MAILBOX: frozenset(Need) - {Need.LOOK, Need.ENTER},
    Evidence.OWNER: frozenset({Need.LASTING}),
    Evidence.CONFIRMED: frozenset(),
}
"""The needs that are asked about, by the evidence in the letter."""

_OF_EFFECTS: Final[Mapping[Effect, Need]] = {
    Effect.ASKS: Need.LOOK,
    Effect.READS: Need.LOOK,
    Effect.BINDS: Need.OWN,
    Effect.SETS: Need.OWN,
    Effect.ENTERS: Need.ENTER,
    Effect.CONFIRMED: Need.LASTING,
    Effect.FOR_GOOD: Need.LASTING,
}


def evidence(context: LetterContext, need: Need) -> Evidence:
    """Return the evidence of a letter for a part with this need.

    That a game accepts an address as proof does not hold for other games, so not for entering one.
    """
    identity = context.identity
    if identity.trust is Trust.CONFIRMED:
        return Evidence.CONFIRMED
    if identity.borrows_token or context.quiet:
        return Evidence.ELSEWHERE
    if identity.is_proven if need is Need.ENTER else identity.is_believed:
        return Evidence.OWNER
    return Evidence.MAILBOX if identity.vouched else Evidence.CLAIMED


def need_of(context: LetterContext, item: Item) -> Need:
    """Return the need of one item; LOOK if it is refused to its sender, whoever wrote it."""
    identity = context.identity
    try:
        deputy_rights.refuse(identity, item, SENDERS)
    except UserError:
        return Need.LOOK
    match item:
        case Unparsed():
            return Need.LOOK
        case ParsedCommand(command=command):
            return _need_of_command(context, command)
        case PressBlock() if messages.is_by_gm(context):
            return Need.LASTING
        case _ if identity.seat is None:
            return Need.LOOK
        case PressBlock() if shown_in(context, item) or repeated_in(context, item):
            return Need.LASTING
        case Parsed(leaves=True):
            return Need.LASTING
        case _:
            return Need.OWN


def divided(context: LetterContext, body: Body) -> tuple[Body, Body]:
    """Return the part of a letter that is done at once, and the part that waits for an answer.

    All of it waits if only words would be left to be done, or if nothing ties the letter to the
    person who is asked.
    """
    wait = _waiting(context, body)
    if wait and (context.identity.trust is Trust.NONE or not _does_anything(body.items, wait)):
        return replace(body, items=()), body
    return parted(body, {body.items[at].line for at in wait})


def parted(body: Body, lines: Collection[int]) -> tuple[Body, Body]:
    """Return the letter without the items that begin in *lines*, and these.

    Orders next to which others were done are added to the sheet.
    """
    now = tuple(item for item in body.items if item.line not in lines)
    rest = tuple(item for item in body.items if item.line in lines)
    if any(isinstance(i, Parsed) for i in now) and any(isinstance(i, Parsed) for i in rest):
        rest = (ParsedCommand(0, "ADD", Add()), *rest)
    return replace(body, items=now), replace(body, items=rest)


def claims(context: LetterContext, body: Body) -> bool:
    """Return whether the letter acts in the name of the seat that it names."""
    blocks = PressBlock | DiaryBlock | StandingBlock
    acts = Need.OWN, Need.LASTING
    if any(_OF_EFFECTS[COMMANDS[type(item.command)].effect] in acts for item in body.commands):
        return True
    if any(isinstance(item, blocks) for item in body.items):
        return True
    return any(isinstance(i, Parsed) for i in body.orders) and not execution.is_check(context, body)


def _waiting(context: LetterContext, body: Body) -> set[int]:
    """Return the places of the items that wait: those that must, and those bound to them."""
    items, checking = body.items, execution.is_check(context, body)
    wait = {at for at, item in enumerate(items) if _must_wait(context, item, checking=checking)}
    orders = {at for at, item in enumerate(items) if isinstance(item, Parsed)}
    if not checking and context.identity.is_believed and doubt.question(context, body):
        wait |= orders | _at(items, Cancel, Clear)
    by_gm = any(is_change(context, items[at]) for at in wait)
    if by_gm or (orders and orders <= wait):
        # These lines may be orders or changes that were meant with the others.
        wait |= {at for at, item in enumerate(items) if _reads(item) or isinstance(item, Unparsed)}
    if wait and (finals := _at(items, Finish)):
        now = replace(body, items=tuple(item for at, item in enumerate(items) if at not in wait))
        # An order that is not on file is said at once, and FINAL with it.
        rejected = doubt.rejected(context, now)
        if orders <= wait or not final_conditions.preview(now, rejected, refused=False):
            wait |= finals | {at for at in _at(items, Wait) if at > min(finals)}
    return wait


def _must_wait(context: LetterContext, item: Item, *, checking: bool) -> bool:
    need = need_of(context, item)
    if checking and need is not Need.COSTLY:
        need = Need.LOOK
    return need in ASKED[evidence(context, need)]


def _reads(item: Item) -> bool:
    """Return whether an item only says how the letter is read."""
    if not isinstance(item, ParsedCommand):
        return False
    return COMMANDS[type(item.command)].effect is Effect.READS


def _does_anything(items: Sequence[Item], wait: Collection[int]) -> bool:
    """Return whether an item that does not wait is more than words."""
    left = (item for at, item in enumerate(items) if at not in wait)
    return any(not (isinstance(item, Unparsed) or _reads(item)) for item in left)


def _at(items: Sequence[Item], *kinds: type[Command]) -> set[int]:
    """Return the places of the commands of these kinds."""
    found = enumerate(items)
    return {
        at for at, it in found if isinstance(it, ParsedCommand) and isinstance(it.command, kinds)
    }


def _need_of_command(context: LetterContext, command: Command) -> Need:
    identity, entry = context.identity, COMMANDS[type(command)]
    if isinstance(command, TakeOver):
        if takeover.accepts_offer(context, command):
            return Need.SHOWN
        if takeover.is_gone(context, command):
            return Need.LOOK
    if isinstance(command, INSPECTIONS) and identity.is_gm:
        return Need.COSTLY
    need = _OF_EFFECTS[entry.effect] if _has_say(identity, entry.who) else Need.LOOK
    is_nobody = identity.person is None and identity.seat is None
    return Need.LOOK if need is Need.OWN and is_nobody else need


def _has_say(identity: Identity, who: For) -> bool:
    """Return whether the sender is one of those who may send a command."""
    if For.GM in who and identity.is_gm:
        return True
    if identity.seat is not None:
        return who != For.GM
    return For.ANYONE in who or (For.KNOWN in who and identity.person is not None)
