"""Mistakes of an author in the second example: each command answers them in one line."""

import importlib
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.testing.contract import ContractBroken, check, opening
from tests.support.authors import install, mistake

IMPORTING: Final = "while it was imported: "
IN_GRAMMAR: Final = "GrammarError in its grammar: Rule 'quits' used but not defined (in rule order)"
TAKE: Final = '@ORDERS.order("TAKE {lot}", "You take lot {lot}.")\n'
OF_RULESETS: Final = (
    ("class Order:", "class Order", f"SyntaxError {IMPORTING}expected ':' (__init__.py, line 35)"),
    ("= sealed_auction:RULESET", "= sealed_auction:RULES", f"AttributeError {IMPORTING}module"),
    ('key="auction", ', "", f"TypeError {IMPORTING}RulesetInfo.__init__() missing 1 required"),
    ("schema=1", 'schema="1"', "its info.schema is '1', but must be int"),
    ('"gold", int, 9,', '"gold", int, 900,', "gold=900 is not from 1 to 99"),
    ("order: bid | quit", "order: bid | quits", IN_GRAMMAR),
    (TAKE, "", "ValueError in its grammar: no order class for the rules take"),
    ("    BIDDING,", '    "sealed_auction:b.lark",', "its grammar 'sealed_auction:b.lark' does"),
    ("auction:rulebook.md", "auction:rules.md", "its rulebook 'sealed_auction:rules.md' does not"),
    ("def verdict(", "def verdikt(", "it lacks verdict"),
    ("robot=robot)", 'robot="robot")', "its extras.robot is 'robot', but must be "),
    ("return BIDS if", "return {}[phase.key] if", "KeyError while it was checked: 'bids' (sealed_"),
)
"""What an author writes instead of what, and the beginning of the fault that is named."""
OF_CASTS: Final = (
    ("auction.cast:CAST", "auction.casts:CAST", f"ModuleNotFoundError {IMPORTING}No module named"),
    ("turns=20,\n", "turn=20,\n", f"TypeError {IMPORTING}Cast.__init__() got an unexpected"),
    ("turns=20,\n", 'turns="20",\n', "its cast.turns is '20', but must be int"),
    ("Contest((PLAYERS,)", "Contest(PLAYERS", "its cast.contest.lineups[0] is SignUp("),
)
NEW: Final = "game new auction state.json --seat ALMA --seat BRUNO"
TURN: Final = "resolve state.json --out out"
PLAY: Final = "play auction"
TOURNAMENT: Final = "tournament auction --games 1 --processes 1"
COMMANDS: Final = (
    NEW, PLAY, TOURNAMENT, "golden auction", "scenario .", "conversation conversation.txt",
)  # fmt: skip
IN_GAMES: Final = (
    (NEW, 'int(options["gold"])', 'int(options["golf"])', "setup raised KeyError: 'golf'"),
    (NEW, "    buyer: r.Seat | None = None", "    buyer: object = print", "storing raised Type"),
    (TURN, "after, events = (", "after = 1 / 0, (", "resolve raised ZeroDivisionError: "),
    (TURN, "lots = Prose(", "lots = Prosa(", "view raised NameError: name 'Prosa' is not defined"),
    (
        TURN,
        "after, events = (",
        "after = exit(0), (",
        "resolve raised SystemExit: 0 (sealed_auction",
    ),
    (TOURNAMENT, "return r.Resolution(", "(", "resolve returns NoneType, but must return Resol"),
    (TOURNAMENT, "each.points for", "each.pints for", "verdict raised AttributeError: "),
    (TOURNAMENT, "state.players[seat].gold\n    part", "0 / 0\n    part", "robot raised Zero"),
    (TOURNAMENT, "for order in orders]", "for order in ()]", "validate returns 0 rulings for 1 or"),
    (TOURNAMENT, "((PLAYERS,), turns=20)", "((), 1)", "there is no robot, or no contest with play"),
    (TOURNAMENT, "=20)", "=1, score=lambda *_: 1 / 0)", "the score of the contest raised Zero"),
    (PLAY, "gold // 2", "gold // 0", "guide raised ZeroDivisionError: "),
    (PLAY, "ORDERS.explain(", "ORDERS.explained(", "explain raised AttributeError: "),
    (
        PLAY,
        "    lots: str\n",
        "    lots: list\n",
        "the state that setup returns: it cannot be read",
    ),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a copy of the second example in the working folder, and return that."""
    monkeypatch.chdir(tmp_path)
    install("sealed_auction", tmp_path, monkeypatch)
    return tmp_path


def answer(command: str) -> str:
    """Return the error of a command that fails, without what is to do."""
    shown = CliRunner().invoke(main, command.split(), input="BID 3\nFINAL\n---\n")
    assert shown.exit_code == 1, shown.output
    (told,) = (line for line in shown.stderr.splitlines() if line.startswith("referee: "))
    return told.removeprefix("referee: ")


@pytest.mark.parametrize(("old", "new", "said"), OF_RULESETS)
def test_a_ruleset_that_cannot_be_used_is_named(
    folder: Path, old: str, new: str, said: str
) -> None:
    mistake(folder, old, new)
    begins = "the ruleset 'auction' of sealed-auction 1.0 cannot be used: "
    assert answer(NEW)[: len(begins + said)] == begins + said


@pytest.mark.parametrize(("old", "new", "said"), OF_CASTS)
def test_a_cast_that_cannot_be_used_is_named(folder: Path, old: str, new: str, said: str) -> None:
    mistake(folder, old, new)
    begins = "the cast 'auction' of sealed-auction 1.0 cannot be used: "
    assert answer(TOURNAMENT)[: len(begins + said)] == begins + said


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_checks_rulesets_like_the_doctor(folder: Path, command: str) -> None:
    mistake(folder, "order: bid | quit", "order: bid | quits")
    assert answer(command).endswith(f" of sealed-auction 1.0 cannot be used: {IN_GRAMMAR}")


@pytest.mark.sampled
@pytest.mark.parametrize(("command", "old", "new", "said"), IN_GAMES)
def test_a_function_that_fails_in_a_game_is_named(
    folder: Path, command: str, old: str, new: str, said: str
) -> None:
    mistake(folder, old, new)
    if command == TURN:
        assert CliRunner().invoke(main, NEW.split()).exit_code == 0
    told = answer(command).removeprefix("tournament of auction: ").removeprefix("game 1, ")
    told = told.replace(" of the ruleset auction", "").replace(" of auction raised", " raised")
    assert told.replace("storing the state", "storing")[: len(said)] == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("order: bid | quit", "order: bid | quits", IN_GRAMMAR),
        ('options["gold"]', 'options["golf"]', "setup of the ruleset auction raised KeyError: 'go"),
        ("lots = Prose(", "lots = Prosa(", "view of the ruleset auction raised NameError: name "),
        ("after, events = (", "exit() (", "resolve of the ruleset auction raised SystemExit: "),
    ],
)
def test_the_contract_kit_names_a_function_that_fails(
    folder: Path, old: str, new: str, said: str
) -> None:
    mistake(folder, old, new)
    rules = imported()
    with pytest.raises(ContractBroken) as caught:
        check(rules, [opening(rules)])
    assert str(caught.value)[: len(said)] == said


def imported() -> Any:
    """Return the ruleset of the example as its author imports it."""
    return importlib.import_module("sealed_auction").RULESET
