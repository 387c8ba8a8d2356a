"""Remarks become sentences, whatever they end with."""

import pytest

from referee.rules.wording import sentence


@pytest.mark.parametrize("remark", ["w99 is not yours", "W99 is not yours."])
def test_a_remark_is_written_as_a_sentence(remark: str) -> None:
    assert sentence(remark) == "W99 is not yours."
