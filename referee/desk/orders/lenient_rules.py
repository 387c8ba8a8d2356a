"""A ruleset wrapper: orders are filed and answered even if the ruleset fails to comment on them."""

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from referee.desk.base.spared_faults import spare
from referee.domain.ruleset_results import WrongResult
from referee.rules.ruleset import Ruleset, Ruling, RulingKind, Seat

Note = Callable[[str, BaseException], None]
"""Records that a part of the answer failed, and the exception."""

_UNCHECKED: Final = Ruling(
    RulingKind.WARNED, "It could not be checked, through a fault on our side."
)


def lenient(rules: Ruleset[Any, Any], note: Note) -> Ruleset[Any, Any]:
    """Return the ruleset, wrapped so that a fault of its own only shortens the answer."""
    return cast("Ruleset[Any, Any]", _LenientRules(rules, note))


class _LenientRules:
    def __init__(self, rules: Ruleset[Any, Any], note: Note) -> None:
        self._rules, self._note = rules, note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def validate(self, state: Any, seat: Seat, orders: Sequence[Any]) -> Sequence[Ruling]:
        """Rule on a sheet; if that fails, return a warning for each order."""

        def ruled() -> Sequence[Ruling]:
            rulings = tuple(self._rules.validate(state, seat, orders))
            if len(rulings) != len(orders):
                raise WrongResult(
                    f"validate of the ruleset {self._rules.info.key} returns {len(rulings)} "
                    f"rulings for {len(orders)} orders"
                )
            return rulings

        def failed(error: BaseException) -> Sequence[Ruling]:
            self._note("validate", error)
            return (_UNCHECKED,) * len(orders)

        return spare(ruled, failed)

    def explain(self, state: Any, seat: Seat, order: Any) -> str:
        """Return what an order means, or if that fails, the order itself."""

        def failed(error: BaseException) -> str:
            self._note("explain", error)
            return self._rules.render(order)

        return spare(lambda: self._rules.explain(state, seat, order), failed)

    def unused(self, state: Any, seat: Seat, orders: Sequence[Any]) -> Sequence[str]:
        """Return what a sheet leaves without orders; if that fails, nothing."""

        def failed(error: BaseException) -> Sequence[str]:
            self._note("unused", error)
            return ()

        return spare(lambda: tuple(self._rules.unused(state, seat, orders)), failed)
