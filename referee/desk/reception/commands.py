"""The table of commands, assembled from the entries that the rooms declare."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final

from referee.desk import games, orders, players, seats
from referee.desk import gm as gms
from referee.desk.orders.command_entries import Effect, Entry, For
from referee.desk.orders.deputy_rights import Senders
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.parsing.body import Body


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


def _sent_by(who: For) -> frozenset[type[c.Command]]:
    return frozenset(entry.command for entry in COMMANDS.values() if entry.who & who)


SENDERS: Final = Senders(_sent_by(For.DEPUTY), _sent_by(For.ANYONE | For.KNOWN), _sent_by(For.GM))
"""The commands by their senders; in a letter for a seat, its deputy may send only a deputy's."""


COSTLY: Final = (gm.Export, gm.Preview, gm.Replay)
"""The questions of a GM that one letter can ask once."""

INSPECTIONS: Final = (*COSTLY, gm.ShowReportOf)
"""The questions of a GM that cost much: a GM who is not verified is asked first."""


def effects(body: Body) -> set[Effect]:
    """Return the effects of the commands in a letter."""
    return {COMMANDS[type(item.command)].effect for item in body.commands}
