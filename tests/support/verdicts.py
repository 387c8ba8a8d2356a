"""Lines of letters that are carried out, compared with the answers to them."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from referee.desk.orders.command_entries import Effect
from referee.desk.reception import intake, reading
from referee.desk.reception.case import Case, Rule
from referee.desk.reception.commands import COMMANDS
from referee.domain.commands import CastVote
from referee.domain.commands import Final as Finish
from referee.letters.outgoing.acknowledgement_notice import Acknowledgement
from referee.letters.outgoing.notices import CommandAnswers, LineError, Notice, TooLate, Unknown
from referee.parsing.body import DiaryBlock, Item, ParsedCommand, PressBlock
from referee.parsing.items import Unparsed

_LISTING: Final = (Acknowledgement, CommandAnswers, TooLate)
"""The notices that answer line by line."""


@contextmanager
def witnessed() -> Iterator[list[str]]:
    """Yield the lines without a verdict of all letters that are read until then.

    The witness is one more rule of the two tables of reading, before the answer is delivered.
    """
    lost: list[str] = []
    tables = (vars(intake), "READING"), (vars(reading), "ACTING")
    before = [module[name] for module, name in tables]

    def witness(case: Case) -> None:
        lost.extend(_lost(case))

    for (module, name), rules in zip(tables, before, strict=True):
        module[name] = (*rules[:-1], Rule(witness, "no line is lost"), rules[-1])
    try:
        yield lost
    finally:
        for (module, name), rules in zip(tables, before, strict=True):
            module[name] = rules


def _lost(case: Case) -> Iterator[str]:
    """Yield the lines that are neither done, nor asked about, nor answered.

    FINAL must count, or be among the lines that are not done, or wait.
    """
    notices = [notice for notice, _ in case.context.letters]
    told = {fault.line for notice in notices for fault in _faults(notice)}
    told |= {said.line for notice in notices for said in getattr(notice, "said", ())}
    told |= {item.line for item in case.asked.items}
    for item in case.body.items:
        if item.line not in {0, *told} and _must_be_told(case, item, notices, told):
            yield f"line {item.line}: {getattr(item, 'text', item)}"


def _faults(notice: Notice) -> tuple[LineError, ...]:
    undone, faults = getattr(notice, "undone", ()), getattr(notice, "faults", ())
    return (*undone, *faults)


def _must_be_told(case: Case, item: Item, notices: Sequence[Notice], told: Collection[int]) -> bool:
    """Return whether no sheet shows an item, and no letter of its own answers it.

    Words need no answer, and a ballot that decides is answered by the result.
    """
    if isinstance(item, ParsedCommand) and isinstance(item.command, Finish):
        seat = case.context.identity.seat
        return seat is None or seat.final_turn != seat.game.turn
    if isinstance(item, ParsedCommand):
        entry = COMMANDS[type(item.command)]
        others = any(not isinstance(notice, _LISTING) for notice in notices)
        is_ballot = isinstance(item.command, CastVote)
        is_own = others and (is_ballot or entry.answer not in _LISTING)
        return not (is_own or entry.effect is Effect.READS)
    is_about_sheet = case.context.sheet is not None or 0 in told
    if is_about_sheet or any(isinstance(it, TooLate | Unknown) for it in notices):
        return isinstance(item, PressBlock | DiaryBlock)
    return not (isinstance(item, Unparsed) and item.is_words)
