"""The table of commands, assembled from the rooms, and the deeds of the parts of a letter."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final, TypeGuard

from referee.desk import games, orders, players, seats
from referee.desk import gm as gms
from referee.desk.base.identity import Identity, Trust
from referee.desk.gm import messages
from referee.desk.orders import standing_orders
from referee.desk.orders.command_entries import Deed, Effect, Entry, For
from referee.desk.orders.letter_context import LetterContext, waits_for_rules
from referee.desk.players import diary, press
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.errors import UnknownRuleset
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.parsing.body import Body, DiaryBlock, Item, ParsedCommand, PressBlock, StandingBlock
from referee.parsing.items import Parsed
from referee.rules.ruleset import Seat, UserError
from referee.store.models import Game


def declared(*rooms: ModuleType) -> Iterator[Entry[Any]]:
    """Yield the entries that the modules of the rooms declare."""
    for room in rooms:
        for found in iter_modules(room.__path__, f"{room.__name__}."):
            module = import_module(found.name)
            yield from (each for each in vars(module).values() if isinstance(each, Entry))


def table(*entries: Entry[Any]) -> Mapping[type[c.Command], Entry[Any]]:
    """Return the entries by their commands. Raises ValueError if a command has two."""
    rows = {entry.command: entry for entry in entries}
    if len(rows) != len(entries):
        raise ValueError("two entries are of one command")
    return rows


COMMANDS: Final = table(
    *declared(games, orders, seats, players, gms),
    Entry(
        "CHECK",
        c.Check,
        For.SEAT | For.DEPUTY | For.GM,
        Effect.READS,
        shown_in="check_only",
        answer=Acknowledgement,
    ),
    Entry("CONFIRM", c.Confirm, For.ANYONE | For.DEPUTY, Effect.READS, shown_in="handover"),
    Entry(
        "ORDERS",
        c.CountOrders,
        For.SEAT | For.DEPUTY,
        Effect.READS,
        shown_in="questions",
        answer=Acknowledgement,
    ),
)
"""Every command with its entry: those that the rooms declare, and those that only read."""


_FROM_ELSEWHERE: Final = (
    "A message in an email from another address is not sent; send it from your own address."
)
_ENTRY_FROM_ELSEWHERE: Final = (
    "An entry in an email from another address is not kept; send it from your own address."
)


def refuse_deputy(identity: Identity, item: Item) -> None:
    """Raise UserError if a deputy sends what is not for deputies."""
    if identity.deputy is None:
        return
    seat = identity.deputy.seat
    match item:
        case StandingBlock():
            raise UserError("Standing orders outlast a deputy, so only the player can write them.")
        case DiaryBlock():
            raise UserError("A diary is private, so only the player can write in it.")
        case Parsed(leaves=True):
            raise UserError(f"A deputy cannot end the game of the player, as {item.text} does.")
        case ParsedCommand(command=command) if For.DEPUTY not in COMMANDS[type(command)].who:
            who = COMMANDS[type(command)].who
            if who & (For.ANYONE | For.KNOWN):
                alone = "To do that for yourself, send it in a new email."
                raise UserError(f"This reply is for {seat.name}. {alone}")
            if For.GM in who:
                raise UserError(f"Only the GM of {seat.game.name} can do that.")
            raise UserError("A deputy cannot do that; only the player can.")
        case ParsedCommand(command=c.Clear(turn=turn)):
            refuse_turn(identity, seat.game, turn)


def refuse_turn(identity: Identity, game: Game, turn: int | None) -> None:
    """Raise UserError if a deputy orders for a future turn, which may be after their last day."""
    if identity.deputy is not None and (turn or 0) > game.turn:
        raise UserError(f"A deputy can only order for the current turn, which is turn {game.turn}.")


def deed_of(context: LetterContext, item: Item) -> Deed:
    """Return the deed of a part of a letter, for its preview and to do it; the sheet has orders.

    Raises UserError if it is not possible, or refused to its sender.
    """
    refuse_deputy(context.identity, item)
    if not isinstance(item, Parsed) and item.line in context.left_out:
        raise UserError(context.left_out[item.line])
    match item:
        case PressBlock():
            write = messages.write if messages.is_by_gm(context) else press.write
            deed = write(context, item)
            _refuse_from_elsewhere(context, _FROM_ELSEWHERE)
            return deed
        case DiaryBlock():
            deed = diary.write(context, item)
            _refuse_from_elsewhere(context, _ENTRY_FROM_ELSEWHERE)
            return deed
        case StandingBlock():
            return standing_orders.keep(context, item.items)
        case ParsedCommand(command=command) if prepare := COMMANDS[type(command)].prepare:
            try:
                deed = prepare(context, command)
            except UnknownRuleset as error:
                raise waits_for_rules(error.key) from error
            assert isinstance(deed, Deed)
            return deed
        case Parsed(leaves=True):
            table, seat = context.table_for_orders(), Seat(context.seat().number)
            meaning = table.ruleset.explain(table.state, seat, item.order)
            return Deed(f"{item.text.upper()}: {meaning}", str)
    return Deed("", str)


def _refuse_from_elsewhere(context: LetterContext, why: str) -> None:
    """Raise UserError if a message or an entry came from an address that is not its player's.

    Still so when it is confirmed, because the question did not show its words.
    """
    identity = context.identity
    is_confirmed = identity.trust is Trust.CONFIRMED
    written = Trust.of(context.row) if is_confirmed else identity.trust
    if not identity.is_stranger and not written.is_from_owner:
        raise UserError(why)


def head_of(item: Item | None) -> str:
    """Return the line that an answer names a part of a letter by, or "" for orders."""
    match item:
        case ParsedCommand():
            return item.text
        case PressBlock():
            return item.head
        case DiaryBlock():
            return "DIARY"
        case StandingBlock():
            return "STANDING"
    return ""


COSTLY: Final = (gm.Preview, gm.Replay)
"""The questions of a GM that one letter can ask once."""

INSPECTIONS: Final = (*COSTLY, gm.ShowReportOf)
"""The questions of a GM that cost much: a GM who is not verified is asked first."""


def changes_game(item: Item) -> TypeGuard[ParsedCommand]:
    """Return whether the item is a command of a GM that can change what follows it."""
    return isinstance(item, ParsedCommand) and COMMANDS[type(item.command)].changes_game


def effect_of(item: Item) -> Effect | None:
    """Return the effect of a command, or None of another part of a letter."""
    return COMMANDS[type(item.command)].effect if isinstance(item, ParsedCommand) else None


def effects(body: Body) -> set[Effect | None]:
    """Return the effects of the commands in a letter."""
    return {*map(effect_of, body.commands)}
