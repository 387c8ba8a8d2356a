"""Reports of parts of an answer that failed, for the player and the operator."""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.spared_faults import spare
from referee.desk.orders.letter_context import LetterContext
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import LineError, OperatorAlert
from referee.rules.ruleset import UserError

T = TypeVar("T")

_PARTS: Final = {
    "validate": "The check of your orders",
    "explain": "The explanation of your orders",
    "idle": "The list of what your orders leave out",
    "forecast": "The forecast",
}
"""The parts of an acknowledgement, by the function of the ruleset that makes them."""
_FAILED: Final = "through a fault of the referee and not of yours. The operator has been told."


def try_part(context: LetterContext, part: str, work: Callable[[], T], otherwise: T) -> T:
    """Return a part of the answer, or *otherwise* if it fails."""

    def failed(error: BaseException) -> T:
        context.note_fault(part, error)
        return otherwise

    return spare(work, failed)


def try_item(context: LetterContext, part: str, work: Callable[[], T]) -> T:
    """Return the answer to one line of the letter. Raises UserError, also if it fails."""

    def failed(error: BaseException) -> T:
        if isinstance(error, UserError):
            raise error
        context.note_fault(part, error)
        raise UserError(f"It could not be done, {_FAILED}") from error

    return spare(work, failed)


def missing_parts(context: LetterContext) -> Iterator[LineError]:
    """Yield the parts of the acknowledgement that failed, each once."""
    for part in dict.fromkeys(fault.part for fault in context.faults):
        if part in _PARTS:
            yield LineError(0, "", f"{_PARTS[part]} could not be made, {_FAILED}")


def report_faults(context: LetterContext) -> None:
    """Notify the operator of all parts that failed, each once in a turn of a game."""
    game = context.identity.game
    where = f"in {game.name}, of the ruleset {game.ruleset}" if game is not None else "in a letter"
    when = f"{game.turn}b{game.rollbacks}" if game is not None else f"{context.now:%Y%m%d}"
    for fault in context.faults:
        what = (
            f'"{fault.part}" fails {where}. Orders are filed and letters answered all the same, '
            "without the part that it makes."
        )
        to_do = f"Look for {fault.reference} in the log, and mend what it names."
        serial = f"fault{''.join(filter(str.isalnum, fault.part.lower()))}{when}"
        slip = Addressing(MailAddress("", context.site.operator), serial, game=game)
        if context.site.operator:
            post(context.desk, OperatorAlert(what, fault.reference, to_do), slip)
    context.desk.faults.extend(context.faults)
