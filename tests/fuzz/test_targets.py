"""Each target with a few fixed inputs; ``make fuzz`` has more."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.__main__ import fuzz
from tests.fuzz.mutating import texts
from tests.fuzz.targets import Target, kept, targets
from tests.support.examples import mostly_slow

TARGETS = targets()
FEW = settings(
    max_examples=15,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@FEW
@pytest.mark.parametrize("name", mostly_slow(TARGETS))
@given(st.data())
def test_a_few_inputs_do_no_harm(name: str, data: st.DataObject) -> None:
    TARGETS[name].read(data.draw(TARGETS[name].inputs))


def _trusting(text: str) -> None:
    assert "F1W2" not in text


def test_errors_are_found() -> None:
    with pytest.raises(AssertionError):
        fuzz(Target(texts(["F1W1\nF1W2"], ["F1"]), _trusting), until=0)


def test_a_printout_without_its_last_line_end_is_read() -> None:
    TARGETS["printouts"].read(kept("report ")[0].removesuffix("\n"))
