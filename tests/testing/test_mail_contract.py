"""Every game that is installed goes by mail, and one that does not is told what is wrong."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from referee.plugins import installed_rulesets
from referee.testing.contract import ContractBroken
from referee.testing.mail_contract import check_by_mail
from referee.testing.robots.casts import cast_keys, installed_casts

RULESETS, CASTS = installed_rulesets(), installed_casts()


@pytest.mark.slow
@pytest.mark.parametrize("key", cast_keys())
def test_the_opening_of_a_game_goes_by_mail(key: str) -> None:
    check_by_mail(RULESETS[key], replace(CASTS[key], turns=CASTS[key].opening))


def crash(*_: Any) -> Any:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("chart", "MAP gets no answer; it was sent by alma@players.example"),
        ("forecast", "CHECK gets no answer"),
        ("validate", "CHECK gets no answer"),
        ("contacts", "HELP gets no answer"),
        ("resolve", "turn 2 brings no report"),
        ("verdict", "turn 2 brings no report"),
    ],
)
def test_what_fails_by_mail_is_told_with_what_was_asked(function: str, said: str) -> None:
    rules: Any = RULESETS["fistful"]
    names = [name for name in dir(rules) if not name.startswith("_")]
    other: Any = SimpleNamespace(
        **{name: getattr(rules, name) for name in names} | {function: crash}
    )
    with pytest.raises(ContractBroken) as caught:
        check_by_mail(other, replace(CASTS["fistful"], turns=3))
    first, *faults = str(caught.value).split("\n")
    assert first.startswith(said)
    assert any("ZeroDivisionError" in line and "test_mail_contract" in line for line in faults)
