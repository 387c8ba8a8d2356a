"""Which cases of a test ``make test`` and CI play, by the marks."""

import pytest

from tests.conftest import choose_for_ci


@pytest.mark.parametrize(
    ("marks", "fast", "ci"),
    [
        (["", "", ""], "012", ""),
        (["slow", "slow", "slow"], "", "2"),
        (["", "slow", "slow"], "0", "2"),
        (["sampled", "sampled", "sampled"], "0", "2"),
        (["slow sampled", "slow sampled", "slow sampled"], "", "2"),
        (["slow every_case", "slow every_case"], "", "01"),
        (["sampled every_case", "sampled every_case", "sampled every_case"], "0", "12"),
        (["release", "release"], "", ""),
        (["slow", "slow", "release"], "", "1"),
        (["", "release"], "0", ""),
        (["slow", "slow", "slow skip"], "", "12"),
        (["slow", "slow skipif", "slow xfail"], "", "012"),
    ],
)
def test_of_the_slow_cases_ci_plays_the_last(
    request: pytest.FixtureRequest, marks: list[str], fast: str, ci: str
) -> None:
    items = list[pytest.Item]()
    for number, words in enumerate(marks):
        name = f"test_it[{number}]"
        item = pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        for word in words.split():
            item.add_marker(word)
        items.append(item)
    choose_for_ci(items)
    slow = [item.get_closest_marker("slow") is not None for item in items]
    left = [item.get_closest_marker("release") is not None for item in items]
    shown = [f"{number}" for number in range(len(items))]
    assert "".join(each for each, is_slow in zip(shown, slow, strict=True) if not is_slow) == fast
    found = (
        number for number, *is_in in zip(shown, slow, left, strict=True) if is_in == [True, False]
    )
    assert "".join(found) == ci
