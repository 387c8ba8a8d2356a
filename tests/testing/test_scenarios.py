"""The scenario runner with a ruleset of two lines: words are orders, and their number counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import pytest

from referee.plugins import installed_rulesets
from referee.rules.extras import Extras
from referee.rules.ruleset import CheckTable, Grammar, ReadOrders, Ruleset, UserError
from referee.testing.scenarios import Rulesets, cases, report, run_cases

WORDS = Grammar(
    source='order: word\nword: WORD\nWORD: "YES"i | "NO"i\n',
    orders={"word": str},
)


def check_sum(row: Mapping[str, Any]) -> Sequence[str]:
    found = sum(row["of"])
    return [] if found == row["is"] else [f"sum {found}, expected {row['is']}"]


class CountingScenarios:
    """Cases that state the number of orders on a sheet, and a table that checks sums."""

    tables: Final[Mapping[str, CheckTable]] = {"sum": check_sum}

    def fits(self, case: Mapping[str, Any]) -> bool:
        return "count" in case

    def run(
        self, case: Mapping[str, Any], rules: Ruleset[Any, Any], read: ReadOrders
    ) -> Sequence[str]:
        if "die" in case:
            raise ValueError(f"the script draws {case['die']}")
        found = len(read(rules.grammar(rules.phase(None)), case["orders"]))
        return [] if found == case["count"] else [f"{found} orders, expected {case['count']}"]


@dataclass
class Counting:
    """A ruleset of words, with scenarios."""

    scenarios: CountingScenarios = field(default_factory=CountingScenarios)

    @property
    def extras(self) -> Extras:
        return Extras(scenarios=self.scenarios)

    def phase(self, state: object) -> None:
        return None

    def grammar(self, phase: object) -> Grammar:
        return WORDS


@dataclass
class Silent:
    """A ruleset without scenarios."""


RULESETS = cast("Rulesets", {"counting": Counting(), "silent": Silent()})

GOOD = """
[[case]]
name = "two words"
cite = "s1"
orders = "yes no"
count = 2
"""


def written(tmp_path: Path, text: str, name: str = "counting/cases.toml") -> Path:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def lines(path: Path, rulesets: Rulesets = RULESETS) -> list[str]:
    output: list[str] = []
    report(run_cases([path], rulesets), output.append)
    return output


def test_a_case_that_passes_is_counted(tmp_path: Path) -> None:
    assert lines(written(tmp_path, GOOD)) == ["1 passed, 0 failed"]


def test_a_failure_is_written_with_its_place_rule_and_difference(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD + GOOD.replace("count = 2", "count = 3"))
    assert lines(file) == [
        f"{file}: two words",
        "  rule: s1",
        "  2 orders, expected 3",
        "1 passed, 1 failed",
    ]


def test_the_report_returns_whether_all_passed(tmp_path: Path) -> None:
    good = run_cases([written(tmp_path, GOOD)], RULESETS)
    bad = run_cases([written(tmp_path, GOOD.replace("2", "9"), "counting/bad.toml")], RULESETS)
    assert (report(good, lambda _: None), report(bad, lambda _: None)) == (True, False)


def test_a_folder_gives_all_its_files_in_the_sequence_of_their_names(tmp_path: Path) -> None:
    second = written(tmp_path, GOOD, "counting/b.toml")
    first = written(tmp_path, GOOD, "counting/a/z.toml")
    written(tmp_path, "no toml", "counting/notes.txt")
    assert [case.file for case in cases([tmp_path], RULESETS)] == [first, second]


def test_a_file_can_name_its_ruleset(tmp_path: Path) -> None:
    file = written(tmp_path, 'ruleset = "counting"\n' + GOOD, "elsewhere/cases.toml")
    assert lines(file) == ["1 passed, 0 failed"]


def test_the_only_ruleset_needs_no_name(tmp_path: Path) -> None:
    only = cast("Rulesets", {"counting": Counting()})
    assert lines(written(tmp_path, GOOD, "elsewhere/cases.toml"), only) == ["1 passed, 0 failed"]


def test_a_file_is_for_the_ruleset_that_knows_such_cases(tmp_path: Path) -> None:
    assert lines(written(tmp_path, GOOD, "elsewhere/cases.toml")) == ["1 passed, 0 failed"]


def test_a_ruleset_can_have_tables_of_its_own(tmp_path: Path) -> None:
    file = written(tmp_path, "[[sum]]\nof = [1, 2]\nis = 3\n[[sum]]\nof = [1]\nis = 3", "sums.toml")
    assert lines(file) == [f"{file}: sum 2", "  sum 1, expected 3", "1 passed, 1 failed"]


@pytest.mark.parametrize(
    ("name", "text", "fault"),
    [
        (
            "elsewhere/a.toml",
            GOOD.replace("count", "number"),
            'ruleset: name one, such as ruleset = "starweb"; the rulesets are',
        ),
        (
            "a.toml",
            'ruleset = "chess"\n' + GOOD,
            "ruleset: 'chess' is not installed; the rulesets are",
        ),
        ("counting/a.toml", "colour = 1\n" + GOOD, '"colour" is not a key of a file'),
        ("counting/a.toml", "case = 1", "case: each case begins with the line [[case]]"),
        ("counting/a.toml", "", "expected a case: each begins with the line [[case]]"),
        ("counting/a.toml", "[[case", "Expected ']]' at the end of an array declaration"),
        ("counting/a.toml", "[[case]]\ncount = 1", "name: a case needs a name, in quotes"),
        ("silent/a.toml", GOOD, "the ruleset silent runs no scenarios"),
        ("counting/a.toml", GOOD + "die = 7", "the script draws 7"),
    ],
)
def test_a_fault_of_a_file_is_a_failure_with_a_reason(
    tmp_path: Path, name: str, text: str, fault: str
) -> None:
    output = lines(written(tmp_path, text, name))
    assert output[-2].strip().startswith(fault)
    assert output[-1] == "0 passed, 1 failed"


def test_an_unparsed_order_is_a_failure_with_its_place(tmp_path: Path) -> None:
    output = lines(written(tmp_path, GOOD.replace("yes no", "yes perhaps")))
    assert output[-2] == '  line 1, column 5: "perhaps": This is not an order.' + UNPARSED


def test_a_missing_file_and_an_empty_folder_are_failures(tmp_path: Path) -> None:
    missing = run_cases([tmp_path / "none.toml"], RULESETS)
    empty = run_cases([tmp_path], RULESETS)
    assert [result.differences for result in (*missing, *empty)] == [
        ("No such file or directory",),
        ("this folder has no *.toml file",),
    ]


def test_a_file_that_is_not_text_is_a_failure(tmp_path: Path) -> None:
    file = written(tmp_path, "")
    file.write_bytes(b"name = '\xff'")
    (result,) = run_cases([file], RULESETS)
    assert result.differences == ("byte 8 is not UTF-8",)


def test_a_mistake_of_the_ruleset_is_a_failure(tmp_path: Path) -> None:
    class Complaining(CountingScenarios):
        def run(self, *_: Any) -> Sequence[str]:
            raise UserError("given: line 1, column 1: nothing")

    rulesets = cast("Rulesets", {"counting": Counting(Complaining())})
    (result,) = run_cases([written(tmp_path, GOOD)], rulesets)
    assert result.differences == ("given: line 1, column 1: nothing",)


UNPARSED = " To test that, list the text under unparsed."
STARWEB = """
[[case]]
name = "industry builds"
players = {{ A = "pirate" }}
given = "W1 () [A] (Industry=30,Metal=25,Population=50)"
orders.A = "{orders}"
{more}
"""


@pytest.mark.parametrize(
    ("orders", "more", "said"),
    [
        ("W1B25P", 'rejected.A = "W1B25P"', "rejected.A: should be a list of orders"),
        ("W1B25P", "rejected.A = [5]", "rejected.A: should be a list of orders"),
        (
            "W1B25P BUILD",
            "",
            'orders.A: line 1, column 8: "BUILD": Unknown word BUILD.' + UNPARSED,
        ),
    ],
)
def test_a_mistake_in_the_orders_of_a_case_is_reported(
    tmp_path: Path, orders: str, more: str, said: str
) -> None:
    file = tmp_path / "starweb.toml"
    file.write_text(STARWEB.format(orders=orders, more=more))
    (result,) = run_cases([file], installed_rulesets())
    assert result.differences == (said,)
