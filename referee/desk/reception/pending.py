"""Parts of a letter that wait for an answer: the proof that each needs, and their previews.

A line waits if ASKED says so for what it needs and how far its sender is proven. Besides, orders
in doubt wait, and FINAL waits with whatever waits.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, TypeGuard

from referee.desk.base.identity import Identity, Trust
from referee.desk.gm import last_change, messages
from referee.desk.orders import doubt
from referee.desk.orders.command_entries import CONSEQUENT, Deed, Effect, For
from referee.desk.orders.gm_authority import NoChange, require_gm
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.sheets import is_too_late, misreadings
from referee.desk.players import order_sheet
from referee.desk.players.press import repeated_in, shown_in
from referee.desk.reception import execution
from referee.desk.reception.answers import Mask
from referee.desk.reception.commands import (
    COMMANDS,
    INSPECTIONS,
    changes_game,
    deed_of,
    effect_of,
    refuse_deputy,
    refuse_turn,
)
from referee.desk.seats import takeover
from referee.domain import commands as c
from referee.domain.sheets import source_of
from referee.letters.outgoing.notices import LineError
from referee.parsing.body import Body, Item, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.items import Parsed, Unparsed
from referee.rules.ruleset import UserError
from referee.rules.wording import counted, listed
from referee.store.database.base import trial
from referee.store.games import games


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
    CHANGE = auto()
    """Changes a game as its GM, so that UNDO takes it back."""
    LASTING = auto()
    """Has consequences that its sender must have seen."""
    SHOWN = auto()
    """Accepts an offer that stated its consequences."""


ASKED: Final[Mapping[Trust, frozenset[Need]]] = {
    Trust.ELSEWHERE: frozenset(Need),
    Trust.NONE: frozenset(Need) - {Need.LOOK},
    Trust.MAILBOX: frozenset(Need) - {Need.LOOK, Need.ENTER},
    Trust.ADDRESS: frozenset(Need) - {Need.LOOK},
    # The word of one game does not hold for entering another one.
    Trust.ACCEPTED: frozenset({Need.ENTER, Need.CHANGE, Need.LASTING}),
    Trust.CODE: frozenset({Need.LASTING}),
    Trust.ALIGNED: frozenset({Need.LASTING}),
    Trust.TOKEN: frozenset({Need.LASTING}),
    Trust.CONFIRMED: frozenset(),
}
"""The needs that are asked about, by how far a letter is proven."""

_OF_EFFECTS: Final[Mapping[Effect, Need]] = {
    Effect.ASKS: Need.LOOK,
    Effect.READS: Need.LOOK,
    Effect.BINDS: Need.OWN,
    Effect.SETS: Need.OWN,
    Effect.ENTERS: Need.ENTER,
    Effect.CHANGES: Need.CHANGE,
    Effect.CONFIRMED: Need.LASTING,
    Effect.FOR_GOOD: Need.LASTING,
}


def need_of(context: LetterContext, item: Item) -> Need:
    """Return the need of one item; LOOK if it is refused to its sender, whoever wrote it."""
    identity = context.identity
    try:
        refuse_deputy(identity, item)
    except UserError:
        return Need.LOOK
    match item:
        case Unparsed():
            return Need.LOOK
        case ParsedCommand(command=command):
            return _need_of_command(context, command)
        case PressBlock() if messages.is_by_gm(context):
            return Need.LASTING
        case _ if not identity.names_seat:
            return Need.LOOK
        case PressBlock() if shown_in(context, item) or repeated_in(context, item):
            return Need.LASTING
        case Parsed(leaves=True):
            return Need.LASTING
        case _:
            return Need.OWN


def divided(context: LetterContext, body: Body) -> tuple[Body, Body]:
    """Return the part of a letter that is done at once, and the part that waits for an answer.

    All of it waits if only words would be left to be done.
    """
    wait = _waiting(context, body)
    now, rest = parted(body, wait)
    if wait and all(_only_says(item) for item in now.items):
        return replace(body, items=()), body
    return now, rest


def parted(body: Body, lines: Collection[int]) -> tuple[Body, Body]:
    """Return the letter without the items that begin in *lines*, and these.

    Orders next to which others were done are added to the sheet.
    """
    now = replace(body, items=tuple(item for item in body.items if item.line not in lines))
    rest = replace(body, items=tuple(item for item in body.items if item.line in lines))
    if now.parsed and rest.parsed:
        rest = replace(rest, items=(ParsedCommand(0, "ADD", c.Add()), *rest.items))
    return now, rest


def _only_says(item: Item) -> bool:
    """Return whether an item is not read, or only says how the letter is read."""
    return isinstance(item, Unparsed) or effect_of(item) is Effect.READS


def _waiting(context: LetterContext, body: Body) -> set[int]:
    """Return the lines that wait: those that must, and those bound to them."""
    items, checking = body.items, execution.is_check(context, body)
    wait = {item.line for item in items if _must_wait(context, item, checking=checking)}
    orders = {item.line for item in body.parsed}
    if not checking and context.identity.trust.is_believed and doubt.question(context, body):
        wait |= orders | {item.line for item in body.commanded(c.Cancel, c.Clear)}
    if not checking and context.identity.trust is not Trust.CONFIRMED:
        wait |= _denied(context, body)
    changes = {item.line for item in items if is_change(context, item)}
    if wait & {item.line for item in body.commanded(c.Create)}:
        # They may be about the game that is made.
        wait |= {item.line for item in items if changes_game(item)}
    is_asked = Need.LASTING in ASKED[context.identity.trust] and not checking
    if changes & wait or (changes and is_asked and preview(context, body).lasting):
        wait |= changes
    by_gm = bool(changes & wait)
    if by_gm or (orders and orders <= wait):
        # These lines may be orders or changes that were meant with the others.
        of_others = (item for item in items if doubt.is_of_others(context, item))
        wait |= {item.line for item in (*filter(_only_says, items), *of_others)}
    finals = {item.line for item in body.commanded(c.Final)}
    unread = doubt.unread_files(context) if finals and not checking else []
    if finals and (wait or unread):
        now, _ = parted(body, wait)
        # An order that is not on file is said at once, and FINAL with it.
        rejected = doubt.rejected(context, now)
        none = bool(wait) and orders <= wait
        if none or not doubt.refusal_of_final(now, rejected, refused=False):
            waits = {item.line for item in body.commanded(c.Wait)}
            wait |= finals | {line for line in waits if line > min(finals)}
    return wait


def _denied(context: LetterContext, body: Body) -> set[int]:
    """Return the lines that deny, and those of what acts below the first; of orders, doubt says.

    FINAL next to orders is theirs.
    """
    if len(body.orders) == len(body.items) or not (denials := doubt.denials(body)):
        return set()
    theirs = body.commanded(c.Final) if body.parsed else ()
    acting = [item for item in body.items if item not in body.orders and item not in theirs]
    below = [item for item in acting if item.line > denials[0]]
    lines = {item.line for item in below if need_of(context, item) is not Need.LOOK}
    return {*lines, *denials} if lines else set()


def _must_wait(context: LetterContext, item: Item, *, checking: bool) -> bool:
    need = need_of(context, item)
    if checking and need is not Need.COSTLY:
        need = Need.LOOK
    # A vacation note is asked about like a letter from somebody else.
    return need in ASKED[Trust.ELSEWHERE if context.quiet else context.identity.trust]


def _need_of_command(context: LetterContext, command: c.Command) -> Need:
    identity, entry = context.identity, COMMANDS[type(command)]
    if isinstance(command, c.TakeOver):
        if takeover.accepts_offer(context, command):
            return Need.SHOWN
        if takeover.is_gone(context, command):
            return Need.LOOK
    if isinstance(command, INSPECTIONS) and identity.is_gm:
        return Need.COSTLY
    need = _OF_EFFECTS[entry.effect] if _has_say(identity, entry.who) else Need.LOOK
    return Need.LOOK if need is Need.OWN and identity.is_stranger else need


def _has_say(identity: Identity, who: For) -> bool:
    """Return whether the sender is one of those who may send a command."""
    if For.GM in who and identity.is_gm:
        return True
    if identity.names_seat:
        return who != For.GM
    return For.ANYONE in who or (For.KNOWN in who and identity.person is not None)


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a letter, one line each, and why parts of it are *refused*, by their lines.

    Line 0 stands for all its orders. The *unchanged* are commands that would leave all as it is,
    and say so. *lasting* is why UNDO would not take all of it back, or "".
    """

    done: tuple[str, ...]
    refused: Mapping[int, UserError]
    unchanged: Mapping[int, str]
    lasting: str = ""

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing that the letter asks for can be done."""
        return bool(self.refused) and not self.done and not self.unchanged

    def possible(self, body: Body) -> Body:
        """Return the letter without the parts that are refused or change nothing."""
        return parted(body, {*self.refused, *self.unchanged} - {0})[0]

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines for the sender: what will be done, and what changes nothing."""
        return (*self.done, *self.unchanged.values())

    @property
    def reasons(self) -> dict[int, str]:
        """Why commands and messages are refused, by the line they begin in."""
        return {line: str(mistake) for line, mistake in self.refused.items() if line}

    @property
    def digest(self) -> str:
        """A hash of what will be done."""
        return hashlib.sha256("\n".join(self.done).encode()).hexdigest()[:16]


def preview(context: LetterContext, body: Body) -> Preview:
    """Preview the letter's effects now, in the order typed, without changing anything.

    FINAL is refused if it would be put aside.
    """
    if not (finals := body.commanded(c.Final)):
        return _preview(context, body)
    rest = _preview(context, parted(body, {item.line for item in finals})[0])
    of_sheet = {0, *(item.line for item in body.items if isinstance(item, StandingBlock))}
    refused = not of_sheet.isdisjoint(rest.refused)
    rejected = doubt.rejected(context, body) if context.identity.trust.is_believed else ()
    why = doubt.refusal_of_final(body, rejected, refused=refused)
    if not why:
        return _preview(context, body)
    return replace(rest, refused={**rest.refused, **{item.line: UserError(why) for item in finals}})


def _preview(context: LetterContext, body: Body) -> Preview:
    """Return the preview, in which each line sees what the lines above it did."""
    shown: dict[int, str] = {}
    refused: dict[int, UserError] = {}
    unchanged: dict[int, str] = {}
    game, lasting, began = context.identity.game, "", context.effort.taken
    was = last_change.before(game) if game is not None and _is_rehearsal(context, body) else None
    with _rehearsed(context, body) as stage:
        for item in body.items:
            context.effort.check()
            try:
                deed = _previewed(stage, item)
                if stage is not context and _is_rehearsed(item, stage):
                    _play(stage, item, began)
            except NoChange as same:
                unchanged[item.line] = f"{getattr(item, 'text', '')}: {same}"
            except UserError as mistake:
                refused[item.line] = mistake
            else:
                if deed.says and item.line:
                    shown[item.line] = deed.says
                lasting = lasting or deed.lasting
        if game is not None and was is not None:
            lasting = lasting or last_change.why_lasting(stage, game, was)
    refused |= (kept := _kept_together(context, body, shown, refused))
    done = [line for at, line in shown.items() if at not in kept]
    try:
        # An order that ends the game has a line of its own.
        others = sum(not item.leaves for item in body.parsed)
        if body.parsed:
            name, game = context.seat().name, context.game()
            refuse_turn(context.identity, game, context.turn_of_orders())
            found = f"{counted(others, 'order')} for {name} in {game.name}"
            done += [f"{found}{_other_count(body)}"] if others else []
        done += _newer_orders(context, body) if done else []
    except UserError as mistake:
        refused[0] = mistake
    return Preview(tuple(done), refused, unchanged, lasting)


def _other_count(body: Body) -> str:
    """Return the player's own count of orders if it is another number, to follow the orders."""
    counts = [item.command.count for item in body.commanded(c.CountOrders)]
    return f" (you counted {counts[0]})" if counts and counts[0] != len(body.parsed) else ""


def _kept_together(
    context: LetterContext, body: Body, possible: Collection[int], refused: Collection[int]
) -> dict[int, UserError]:
    """Return a GM's changes that are possible, but not done because something else is not.

    The changes of one letter are done as a whole: a GM may have meant the one only with the other.
    """
    if not context.identity.is_gm:
        return {}
    changes = [item.line for item in body.items if is_change(context, item)]
    failed = [line for line in changes if line in refused]
    misread = misreadings(body.mistyped) if body.parsed else execution.unparsed(context, body)
    failed += [each.line for each in misread if not each.is_words]
    if not failed:
        return {}
    lines = listed(map(str, sorted(failed)))
    which = f"line {lines} is" if len(failed) == 1 else f"lines {lines} are"
    why = UserError(
        f"Not done, because {which} not possible. The changes of one email are made together or "
        "not at all."
    )
    return {line: why for line in changes if line in possible}


def refused_changes(context: LetterContext, body: Body) -> Mapping[int, str]:
    """Return why lines are not done next to changes of a GM that wait for nothing, by line.

    Those of a confirmed letter are known since it waited.
    """
    is_confirmed = context.identity.trust is Trust.CONFIRMED
    if is_confirmed or not any(is_change(context, item) for item in body.items):
        return context.refused
    return preview(context, body).reasons


def is_change(context: LetterContext, item: Item) -> bool:
    """Return whether an item of a GM's letter changes the game, or tells its players something."""
    return changes_game(item) or (isinstance(item, PressBlock) and messages.is_by_gm(context))


def undone(context: LetterContext, body: Body, preview: Preview) -> tuple[LineError, ...]:
    """Return every line of the letter that will not be done, with its reason."""
    items = {item.line: item for item in body.items if item.line}
    refused = preview.refused.items()
    faults = [execution.fault(context, items.get(line), mistake) for line, mistake in refused]
    if context.identity.trust.is_from_owner:
        # Untrusted senders see only what can be done, so that they cannot write to a player
        # through us.
        faults += execution.unparsed(context, body)
    return tuple(sorted(faults, key=lambda fault: fault.line))


def _previewed(context: LetterContext, item: Item) -> Deed:
    """Return the deed of one item as it is previewed; it says nothing of most orders.

    Raises UserError as carrying it out would.
    """
    if not isinstance(item, ParsedCommand):
        return deed_of(context, item)
    if isinstance(item.command, c.CountOrders):
        return Deed("", str)  # It is compared with the number of orders.
    if order_sheet.is_about_open_sheet(context, item.command):
        context.turn_of_orders()
    deed = deed_of(context, item)
    typed = item.text
    if not context.identity.trust.is_from_owner:
        typed = Mask.public(context.site).order(typed)
    if effect_of(item) is Effect.ASKS and doubt.is_of_others(context, item):
        require_gm(context)
    if not deed.says:
        return replace(deed, says=typed)
    alone = effect_of(item) in CONSEQUENT | {Effect.ENTERS}
    return deed if alone else replace(deed, says=f"{typed}: {deed.says}")


def _newer_orders(context: LetterContext, body: Body) -> list[str]:
    """Return a warning if the letter, confirmed late, replaces orders that came after it."""
    if not _replaces(body) or context.identity.seat is None or context.table is None:
        return []
    turn = context.turn_of_orders()
    if is_too_late(context.game(), turn, context.row.arrived_at):
        return []
    newer = games.on_file(context.session, context.identity.seat, turn)
    if newer is None or newer.letter <= context.row.id:
        return []
    count = counted(len(newer.orders), "order")
    replaced = (
        f"Your newer orders for turn {turn}, {count} from {source_of(newer.receipt)}, are replaced."
    )
    keep = "To keep them, do not confirm. After a CONFIRM, UNDO brings them back."
    return [f"{replaced} {keep}"]


def _replaces(body: Body) -> bool:
    """Return whether the letter takes all orders on file off the sheet."""
    if any(item.command.turn is None for item in body.commanded(c.Clear)):
        return True
    kept = body.commanded(c.Add, c.Cancel)
    orders = [item.line for item in body.parsed]
    return bool(orders) and not any(item.line < orders[0] for item in kept)


_MOST_SECONDS: Final = 5.0
"""The processor time of a rehearsal after which no further command is carried out in it."""
_TOO_MUCH: Final = "An email can do only so much at once. Send this in another email."


@contextmanager
def _rehearsed(context: LetterContext, body: Body) -> Iterator[LetterContext]:
    """Yield a context in which a letter is rehearsed. Nothing that is done in it remains."""
    if not _is_rehearsal(context, body):
        yield context
        return
    desk = replace(context.desk, faults=[], unasked=[])
    stage = replace(context, desk=desk, said=[], letters=[], undoes={}, news={}, reports={})
    stage.sheet, stage.changes = None, {}
    with trial(context.session):
        yield stage


def _play(stage: LetterContext, item: Item, began: float) -> None:
    """Carry out a command on the *stage*, because it changes what those below it do.

    Raises UserError as the command does, or if the letter, tried since *began*, does too much.
    """
    if stage.effort.taken - began > _MOST_SECONDS:
        raise UserError(_TOO_MUCH)
    # The letter itself may take as long when it is carried out.
    with stage.effort.apart():
        deed_of(stage, item).do()
        stage.session.flush()
        stage.reload()


def _is_rehearsal(context: LetterContext, body: Body) -> bool:
    """Return whether a line needs what one above it did, or what UNDO takes back is to be known."""
    rehearsed = [item for item in body.items if _is_rehearsed(item, context)]
    made = bool(body.commanded(c.Create)) and any(map(changes_game, body.items))
    return made or len(rehearsed) > 1 or Effect.CHANGES in map(effect_of, rehearsed)


def _is_rehearsed(item: Item, context: LetterContext) -> TypeGuard[ParsedCommand]:
    """Return whether the item changes the game of a GM, makes one, or is an absence or its end."""
    if not isinstance(item, ParsedCommand):
        return False
    is_played = isinstance(item.command, c.Absent | c.Create | c.NoAbsence)
    return is_played or (context.identity.is_gm and changes_game(item))
