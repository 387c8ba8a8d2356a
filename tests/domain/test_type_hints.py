"""Values are compared with type hints, and the first mismatch is found with its path."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from referee.domain.type_hints import mismatch
from referee.rules.extras import Extras
from referee.rules.ruleset import Option, Outcome, Resolution, RulingKind, Seat, Verdict
from referee.rules.views import Prose, Table, View

OPTION = Option("a", int, 1, "So.")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("a", str),
        (1, int),
        (1, float),
        (1.5, float),
        (True, bool),
        (Seat(1), Seat),
        (None, Verdict | None),
        ((), tuple[str, ...]),
        (["a"], tuple[str, ...]),
        (["a"], Sequence[str]),
        ({1}, frozenset[Seat]),
        ((1, "a"), tuple[int, str]),
        ({"a": 1}, Mapping[str, int]),
        (OPTION, Option),
        (str.upper, Callable[[str], Any]),
        (object(), Any),
        (Extras(), Extras),
        ((Prose("a"), Table(("a",), (("b",),))), View),
        (Resolution(3, {Seat(1): (("order", Outcome(done=True)),)}, ()), Resolution[Any, Any]),
    ],
)
def test_a_value_fits_its_hint(value: object, hint: Any) -> None:
    assert mismatch(value, hint) is None


@pytest.mark.parametrize(
    ("value", "hint", "path", "wanted"),
    [
        (None, str, "", "str"),
        (True, int, "", "int"),
        (1, bool, "", "bool"),
        ("abc", tuple[str, ...], "", "tuple[str, ...]"),
        ("abc", Sequence[str], "", "Sequence[str]"),
        (["a"], frozenset[str], "", "frozenset[str]"),
        (("a", 2), tuple[str, ...], "[1]", "str"),
        ((1,), tuple[int, str], "", "tuple[int, str]"),
        ({"a": "b"}, Mapping[str, int], "['a']", "int"),
        ({1: 1}, Mapping[str, int], "[1]", "str"),
        (3, Verdict | None, "", "Verdict | None"),
        (float, type[int] | type[str], "", "type[int] | type[str]"),
        ((Option("a", float, 1, "So."),), tuple[Option, ...],  # type: ignore[arg-type]
         "[0].kind", "type[int] | type[str] | type[bool]"),
        ([Outcome("yes")], Sequence[Outcome], "[0].done", "bool"),  # type: ignore[arg-type]
        ((Prose("a"), Prose(3)), View, "[1].text", "str"),  # type: ignore[arg-type]
        (Resolution(3, {Seat(1): (("order", RulingKind.ACCEPTED),)}, ()),  # type: ignore[dict-item]
         Resolution[Any, Any], ".outcomes[1][0][1]", "Outcome"),
    ],
)  # fmt: skip
def test_a_mismatch_has_its_path_and_the_hint(
    value: object, hint: Any, path: str, wanted: str
) -> None:
    found = mismatch(value, hint)
    assert found is not None
    assert (found.path, found.wanted) == (path, wanted)
