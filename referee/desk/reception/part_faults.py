"""Reports of parts of an answer that failed, for the player and the operator."""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.spared_faults import SparedFault, package_of, spare
from referee.desk.orders.letter_context import LetterContext
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.notices import LineError, OperatorAlert
from referee.rules.ruleset import UserError

T = TypeVar("T")

_PARTS: Final = {
    "validate": "The check of your orders",
    "explain": "The explanation of your orders",
    "unused": "The list of unused units",
    "forecast": "The forecast",
}
"""The parts of an acknowledgement, by the function of the ruleset that makes them."""
_PARTS_MISSED: Final = {
    "validate": "players get no check of their orders",
    "explain": "players get no explanation of their orders",
    "unused": "players get no list of unused units",
    "forecast": "players get no forecast",
    "render": "orders of players are not filed",
    "setup": "games cannot be created",
}
"""The consequence and for whom, by the part that failed."""
_FAILED: Final = "through a fault on our side. The operator has been notified."


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
        raise UserError(f"This could not be done, {_FAILED}") from error

    return spare(work, failed)


def missing_parts(context: LetterContext) -> Iterator[LineError]:
    """Yield the parts of the acknowledgement that failed, each once."""
    for part in dict.fromkeys(fault.part for fault in context.faults):
        if part in _PARTS:
            yield LineError(0, "", f"{_PARTS[part]} could not be made, {_FAILED}")


def report_faults(context: LetterContext) -> None:
    """Notify the operator of all parts that failed, each once in a turn of a game."""
    game = context.identity.game
    when = f"{game.turn}b{game.rollbacks}" if game is not None else f"{context.now:%Y%m%d}"
    for fault in context.faults:
        what = (
            f'"{fault.part}" fails in {_place(context, fault)}. {fault.cause} The rest of each '
            "email is still processed and answered."
        )
        to_do = f"Find reference {fault.reference} in the log and fix the fault that it names."
        subject = _PARTS_MISSED.get(fault.part, f"{fault.part} does not work for players")
        of = fault.ruleset if game is None else ""
        serial = f"fault{''.join(filter(str.isalnum, f'{fault.part}{of}'.lower()))}{when}"
        addressing = Addressing(MailAddress("", context.site.operator), serial, game=game)
        if context.site.operator:
            post(context.desk, OperatorAlert(subject, what, fault.reference, to_do), addressing)
    context.desk.faults.extend(context.faults)


def _place(context: LetterContext, fault: SparedFault) -> str:
    """Return the game and the ruleset in which a fault occurred, in words."""
    game, rules = context.identity.game, context.site.rulesets.get(fault.ruleset)
    package = f" of the package {package_of(rules)}" if rules is not None else ""
    if game is not None:
        return f"{game.name} (ruleset {fault.ruleset}{package})"
    return f"the ruleset {fault.ruleset}{package}" if fault.ruleset else "an email"
