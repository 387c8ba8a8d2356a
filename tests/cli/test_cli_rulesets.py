"""The commands for authors of rulesets: golden games and mail conversations."""

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import demo, golden, main
from referee.testing import probe
from referee.testing.casts.fistful import CAST
from referee.testing.casts.installed import cast_of, installed_casts
from tests.support.authors import install
from tests.support.examples import mostly_slow
from tests.support.outsiders import Outsiders

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "rock_paper_scissors"

GOOD = """\
=== it is 2026-09-01 12:00 UTC
=== frodo@shire.example writes

LIST
=== frodo@shire.example gets
Subject: Re
"""


def run(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.mark.slow
def test_the_golden_games_of_a_ruleset_are_compared() -> None:
    shown = run("golden", "fistful")
    assert shown.output.splitlines() == [f"fistful {name}: identical" for name in CAST.golden]
    assert shown.exit_code == 0


def test_a_missing_ruleset_has_no_golden_games() -> None:
    shown = run("golden", "fistful-of-planets")
    assert shown.exit_code == 2
    assert "'fistful-of-planets' has no cast; these have: " in shown.output


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a copy of the example package, and return its folder."""
    return install("rock_paper_scissors", tmp_path, monkeypatch)


def forget() -> None:
    """Remove the modules of the example, so that they are imported again."""
    for name in [each for each in sys.modules if each.startswith("rock_paper_scissors")]:
        del sys.modules[name]


def test_a_golden_game_is_written_and_a_difference_is_reported(example: Path) -> None:
    shown = run("golden", "rps")
    assert shown.exit_code == 1
    assert "golden game rps three: not found" in shown.output
    shown = run("golden", "rps", "--write")
    assert (shown.output, shown.exit_code) == (
        "rps three: 3 turns, 6 orders done, 0 failed\n",
        0,
    )
    assert run("golden", "rps").output == "rps three: identical\n"
    kept = example / "golden" / "three.txt"
    before = kept.read_text()
    kept.write_text(before + "More.\n")
    shown = run("golden", "rps")
    assert (shown.output, shown.exit_code) == ("rps three: differs\n  turn 4: standing\n", 1)
    run("golden", "rps", "--write")
    assert kept.read_text() == before


def test_a_game_is_written_again_from_its_order_sheets(example: Path) -> None:
    run("golden", "rps", "--write")
    kept = example / "golden" / "three.txt"
    kept.write_text(kept.read_text().replace("[ALMA]\nSCISSORS\n", "[ALMA]\nROCK SCISSORS\n"))
    shown = run("golden", "rps", "--write")
    assert shown.output == "rps three: 3 turns, 6 orders done, 1 failed\n"
    assert "=== turn 1: orders\n[ALMA]\nROCK SCISSORS\n" in kept.read_text()


def test_a_report_that_the_rules_changed_is_named_and_shown(example: Path) -> None:
    run("golden", "rps", "--write")
    shown = run("golden", "rps", "--show", "BRUNO", "2")
    report = "Player  Rounds won\n------  ----------\nALMA             0\nBRUNO            {}\n"
    title = "rps three, turn 2: report BRUNO\n"
    title += "NEWS\nALMA: SCISSORS. BRUNO: ROCK. BRUNO wins the round.\n\n"
    assert (shown.output, shown.exit_code) == (title + report.format(1), 0)
    forget()
    rules_with(example, "str(player.won)", "str(player.won * 2 % 6)")
    shown = run("golden", "rps", "--show", "BRUNO", "2")
    assert (shown.output, shown.exit_code) == (title + report.format(2), 0)
    changed = [f"  turn {turn}: report {seat}" for turn in (2, 3, 4) for seat in ("ALMA", "BRUNO")]
    named = run("golden", "rps").output.splitlines()
    assert named == ["rps three: differs", *changed, "  turn 4: standing"]


def test_a_long_list_of_differences_is_cut(example: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "_MOST_NAMED", 2)
    run("golden", "rps", "--write")
    forget()
    rules_with(example, '"Rounds won"', '"Won"')
    shown = run("golden", "rps").output.splitlines()[-3:]
    assert shown == ["  turn 1: report ALMA", "  turn 1: report BRUNO", "  and 7 more"]


def test_a_report_that_a_game_lacks_cannot_be_shown(example: Path) -> None:
    run("golden", "rps", "--write")
    for seat, turn in (("BRUNO", 9), ("CHLOE", 1)):
        shown = run("golden", "rps", "--show", seat, turn)
        assert shown.output == f"rps three, turn {turn}: no report {seat}\n"
        assert shown.exit_code == 1


@pytest.mark.slow
def test_robots_of_a_ruleset_play_a_tournament(example: Path) -> None:
    shown = run("tournament", "rps", "--games", "4", "--processes", "1")
    assert shown.exit_code == 0
    rows = [line.partition(":")[0] for line in shown.output.splitlines()]
    assert rows == ["rps", "hard against normal", "normal against easy"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("return [rps.Throw(hand)]", "return 1 / 0", "robot of the ruleset rps raised Zero"),
        ("shown = {seat: sheet[-1]", "shown = {seat: sheet[9]", "resolve of the ruleset rps"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_answered_in_one_line(
    example: Path, old: str, new: str, said: str
) -> None:
    rules_with(example, old, new)
    shown = run("tournament", "rps", "--games", "1", "--processes", "1")
    (_, line, _remedy) = shown.output.splitlines()
    assert f"tournament of rps: game 1, {said}" in line


def test_a_ruleset_without_a_contest_plays_no_tournament(example: Path) -> None:
    rules_with(example, "    contest=CONTEST,\n", "")
    shown = run("tournament", "rps")
    assert shown.exit_code == 1
    assert "tournament of rps: there is no robot, or no contest" in shown.output


def rules_with(example: Path, old: str, new: str) -> None:
    """Change a line of the rules, the cast or the robot, before they are imported."""
    files = [example / "__init__.py", example / "cast.py", example / "robot.py"]
    (file,) = (file for file in files if old in file.read_text())
    file.write_text(file.read_text().replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            '@ORDERS.order("{hand}"',
            '@ORDERS.order("STONE {hand}"',
            r"turn 1, the sheet of ALMA, line 1, column 1: STONE: \S.*",
        ),
        (
            "return [rps.Throw(hand)]",
            "return 1 / 0",
            (
                r"turn 1, robot of the ruleset rps raised ZeroDivisionError: division by zero "
                r"\(rock_paper_scissors/robot.py, line \d+, in robot: return 1 / 0\)"
            ),
        ),
        (
            "players = dict(state.players)",
            "players = {}[state.round]",
            (
                r"turn 1, resolve of the ruleset rps raised KeyError: 1 "
                r"\(rock_paper_scissors/__init__.py, line \d+, in resolve: "
                r"players = {}\[state.round\]\)"
            ),
        ),
        (
            "{seat: _outcomes(sheet) for seat, sheet in orders.items()},",
            "{},",
            "turn 1, resolve returns no outcomes for the orders of ALMA",
        ),
        pytest.param(
            "players = dict(state.players)",
            "while True: pass",
            (
                r"turn 1, resolve of the ruleset rps has not returned after 2 seconds \(.*\); "
                "check there for a loop or a wait that never ends"
            ),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_game_that_cannot_be_written_is_reported(
    example: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, said: str
) -> None:
    monkeypatch.setattr(probe, "LONGEST_SECONDS", 2.0)
    rules_with(example, old, new)
    shown = run("golden", "rps", "--write")
    assert re.fullmatch(f"rps three: not written\n  {said}\n", shown.output), shown.output
    assert shown.exit_code == 1
    assert not (example / "golden").exists()


def test_an_unwritable_folder_is_reported(example: Path) -> None:
    (example / "golden").write_text("This is no folder.")
    shown = run("golden", "rps", "--write")
    assert shown.exit_code == 1
    assert "referee: golden game rps three: cannot be written: [Errno " in shown.output
    assert "  to do     write into a folder of your own: " in shown.output


@pytest.mark.slow
def test_a_ruleset_that_ends_the_program_fails_the_command(example: Path) -> None:
    module = example / "__init__.py"
    rules = module.read_text()
    module.write_text(rules.replace("shown = {seat", "raise SystemExit(0)\n        shown = {seat"))
    shown = run("golden", "rps", "--write")
    said = "rps three: not written\n  turn 1, resolve of the ruleset rps raised SystemExit: 0 ("
    assert (shown.exit_code, shown.output.startswith(said)) == (1, True)
    shown = run("conversation", EXAMPLE / "conversation.txt")
    assert shown.exit_code == 1
    assert shown.output.endswith("0 passed, 1 failed\n")


@pytest.mark.usefixtures("example")
def test_an_order_that_is_no_longer_valid_is_reported() -> None:
    run("golden", "rps", "--write")
    game = installed_casts()["rps"].golden["three"]
    game.place.write_text(game.place.read_text().replace("ROCK", "STONE"))
    said = r"  turn \d+, the sheet of \w+, line 1, column 1: STONE: "
    for options, done in (
        ((), "differs"), (("--write",), "not written"), (("--show", "ALMA", "4"), "not shown")
    ):  # fmt: skip
        shown = run("golden", "rps", *options)
        assert re.match(f"rps three: {done}\n{said}", shown.output)
        assert shown.exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "source", mostly_slow(["raise SystemExit(3)", "raise KeyboardInterrupt", "1 / 0"])
)
def test_a_broken_cast_leaves_the_golden_games_of_others(outsiders: Outsiders, source: str) -> None:
    outsiders.install("mimes", source, "[referee.casts]\nmime = mimes:CAST\n")
    kept = [f"fistful {name}: identical" for name in CAST.golden]
    shown = run("golden", "fistful")
    assert (shown.stdout.splitlines(), shown.stderr, shown.exit_code) == (kept, "", 0)
    shown = run("golden", "mime")
    assert shown.stderr.startswith("referee: the cast 'mime' of mimes 1.0 cannot be used: ")
    assert (shown.stdout, shown.exit_code) == ("", 1)
    shown = run("golden", "fistful", "mime")
    assert shown.stdout.splitlines() == kept
    assert shown.stderr.startswith("referee: the cast 'mime' of mimes 1.0 cannot be used: ")
    assert shown.exit_code == 1


def test_conversations_are_run_and_counted(tmp_path: Path) -> None:
    good, bad, worse = tmp_path / "good.txt", tmp_path / "bad.txt", tmp_path / "worse.txt"
    good.write_text(GOOD)
    bad.write_text(GOOD + "\nF3T4F17\n")
    worse.write_bytes(b"=== it is \xff")
    shown = run("conversation", good, bad, worse)
    assert shown.exit_code == 1
    assert shown.output.startswith(f'{bad}: line 5: "F3T4F17" is not in the')
    assert "is not in the email:\nSubject: Re: answer: LIST\n\n" in shown.output
    assert f"{worse}: byte 11 is not UTF-8; save the file as UTF-8\n" in shown.output
    assert shown.output.endswith("1 passed, 2 failed\n")
    shown = run("conversation", good)
    assert (shown.output, shown.exit_code) == ("1 passed, 0 failed\n", 0)


BEGUN = """\
=== gm@example.org writes

CREATE RPS SEATS 2
DEADLINE 24 hours
=== gm@example.org gets mail
=== alma@one.example writes

JOIN RPS-1 ALMA
=== alma@one.example gets mail
=== bruno@two.example writes

JOIN RPS-1 BRUNO
=== bruno@two.example gets mail
=== alma@one.example gets mail
=== gm@example.org gets mail
"""


EVERYTHING = """\
=== alma@one.example gets mail
=== bruno@two.example gets mail
=== gm@example.org gets mail
=== operator@referee.example gets mail
"""


def conversation(tmp_path: Path, text: str, *options: str) -> Result:
    file = tmp_path / "conversation.txt"
    file.write_text(text)
    return run("conversation", file, *options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "place"),
    mostly_slow(
        [
            (
                "=== alma@one.example gets\nSubject: final\n",
                'line 17: alma@one.example got no letter "',
            ),
            (
                "",
                "unexpected emails:\n--- to alma@one.example\nSubject: [RPS-1 T1 ALMA] no ord",
            ),
            (EVERYTHING, "resolve of the ruleset rps raised KeyError"),
        ]
    ),
)
def test_an_error_of_a_ruleset_in_a_conversation_is_reported(
    example: Path, tmp_path: Path, ending: str, place: str
) -> None:
    rules_with(example, "players = dict(state.players)", "players = {}[state.round]")
    shown = conversation(tmp_path, f"{BEGUN}=== 2 days pass\n{ending}")
    assert shown.output.startswith(f"{tmp_path / 'conversation.txt'}: {place}")
    assert re.search(
        r"resolve of the ruleset rps raised KeyError: 1 \(rock_paper_scissors/__init__.py, "
        r"line \d+, in resolve: players = {}\[state.round\]\)\n0 passed, 1 failed\n$",
        shown.output,
    )
    assert shown.exit_code == 1


@pytest.mark.slow
@pytest.mark.parametrize("hangs", ["while True: pass", "__import__('time').sleep(1000)"])
def test_a_turn_that_never_ends_ends_a_conversation(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: str
) -> None:
    monkeypatch.setattr(probe, "LONGEST_SECONDS", 2.0)
    rules_with(example, "players = dict(state.players)", hangs)
    shown = conversation(tmp_path, f"{BEGUN}=== 2 days pass\n")
    said = "line 16: resolve of the ruleset rps has not returned after 2 seconds ("
    assert said in shown.output
    assert shown.exit_code == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected a statement: each statement begins with ===, such as: === "),
        ("# nothing\n", "expected a statement: each statement begins with ===, such as: === "),
        ("=== a@b writes\n\nHELP\n=== c@d gets\n",
         "line 4: c@d got no letter; sent was: a@b: Re: help"),
        ("=== a@b writes\n\nHELP\n=== a@b gets\nSubject: map\n",
         'line 4: a@b got no letter "map"; sent was: a@b: '),
        ("=== frodo dances\n",
         'line 1: "frodo dances" is not a statement; referee conversation --'),
        ("=== it is late UTC\n", "line 1: Invalid isoformat string: 'late'"),
        ("=== 5 apples pass\n", "line 1: "),
    ],
)  # fmt: skip
def test_an_empty_or_wrong_conversation_is_reported(tmp_path: Path, text: str, said: str) -> None:
    shown = conversation(tmp_path, text)
    assert shown.exit_code == 1
    assert shown.output.startswith(f"{tmp_path / 'conversation.txt'}: {said}")
    assert shown.output.endswith("\n0 passed, 1 failed\n")


def test_every_letter_is_shown_on_demand(tmp_path: Path) -> None:
    shown = conversation(tmp_path, GOOD, "--show").output
    assert "\nfrodo@shire.example writes\nSubject: \n\n\nLIST\n" in shown
    assert "\nfrodo@shire.example gets\nSubject: Re: answer: LIST\n\n" in shown
    assert "No game is open for players, and none is running.\n" in shown


@pytest.mark.slow
def test_a_letter_is_shown_with_its_attachments(tmp_path: Path) -> None:
    maps = (ROOT / "tests" / "conversations" / "maps.txt").read_text()
    assert "\nAttachments: map.svg, map.png\n" in conversation(tmp_path, maps, "--show").output
    shown = conversation(tmp_path, maps.replace(": map.svg, map.png", ": map.svg")).output
    assert 'attached is "map.svg, map.png", not "map.svg":\nSubject: ' in shown
    assert "\nAttachments: map.svg, map.png\n" in shown


def test_the_help_explains_every_statement() -> None:
    told = run("conversation", "--help").output
    words = ("writes", "replies to", "replies", "quoting", "gets mail", "gets nothing", "gets",
             "it is TIME UTC", "pass", "is away for", "jumps ahead", "goes back", "comes again",
             "comes back", "nobody gets anything", "Subject:", "Attachments:", "!", "#",
             "docs/ruleset-authors.md")  # fmt: skip
    assert [word for word in words if word not in told] == []


@pytest.mark.slow
def test_the_conversation_of_the_example_passes(example: Path) -> None:
    shown = run("conversation", example.parent / "conversation.txt")
    assert (shown.output, shown.exit_code) == ("1 passed, 0 failed\n", 0)


@pytest.mark.slow
def test_a_demonstration_whose_rules_fail_is_stopped_with_the_cause(
    example: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    rules_with(example, "rows = tuple(", "rows = 1 / 0, (")
    assert not demo.watch(cast_of("rps"), tmp_path)
    shown = capfd.readouterr().err
    assert "The game was stopped, because its ruleset or cast failed:\n" in shown
    assert "  view of the ruleset rps raised ZeroDivisionError: division by zero (" in shown
    assert "not finished in time" not in shown
