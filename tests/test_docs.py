"""The lists and examples of the docs, compared with what they describe."""

import pkgutil
import re
import subprocess
import tomllib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from referee.desk.base.rulebooks import players_guide
from referee.desk.orders.command_entries import Effect, For
from referee.desk.reception.reading import READING
from referee.letters.incoming.decode import decode
from referee.plugins import installed_rulesets
from referee.testing.casts.installed import cast_keys
from referee.testing.conversation import Conversation
from referee.testing.scenarios import run_cases
from referee.testing.tournament import PAIRINGS
from tests.support.pages import section
from tests.support.seen import own_text

ROOT = Path(__file__).parent.parent
RULESETS = installed_rulesets()
DOCUMENTS = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("[!.]*/*.md")})
TODAY = [doc for doc in DOCUMENTS if doc.name != "CHANGELOG.md" and doc.parent.name != "adr"]
"""The documents that describe the present; the changelog and the ADRs describe their day."""
CODE = sorted([*(ROOT / "referee").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])
FENCE = re.compile(r"```.*?```", re.DOTALL)
READERS = {"players": 3500, "gamemasters": 3500, "operators": 6000, "ruleset-authors": 4000}
"""The pages of docs/ with which a reader begins, and the most words that are read through."""
CONTENTS = re.compile(r"^On this page:\n\n((?:- \[.*\n)+)", re.MULTILINE)
FOLDERS = "referee|tests|docs|deploy|grammars|mailtemplates|migrations"
STARTED = """
=== it is 2026-09-01 16:00 UTC
=== gm@example.org writes

CREATE STARWEB SEATS 2 DEADLINE "3 days"

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder ZONE Europe/Berlin

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder

=== sam@shire.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
"""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def found(pattern: str, *files: Path) -> Iterator[tuple[str, Any]]:
    """Yield the matches of a pattern in files, each with the file's name before it."""
    for file in files:
        for hit in re.findall(pattern, file.read_text(encoding="utf-8"), re.MULTILINE):
            yield str(file.relative_to(ROOT)), hit


def headings(file: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    return {anchor(title) for title in titles(file.read_text(encoding="utf-8"), "#+")}


def anchor(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def titles(text: str, level: str) -> list[str]:
    """Return the headings of a text with that mark, such as ``##``, but none in a block."""
    return re.findall(rf"^{level} (.+)$", FENCE.sub("", text), re.MULTILINE)


def listed_documents() -> set[Path]:
    """Return the files and folders that the index of the docs has links to."""
    links = re.findall(r"\]\(([^)#]+)\)", read("docs/README.md"))
    return {(ROOT / "docs" / link).resolve() for link in links}


def examples(kind: str) -> list[str]:
    """Return the blocks of CONTRIBUTING that are marked with a *kind*."""
    return re.findall(rf"^```{kind}\n(.*?)^```", read("CONTRIBUTING.md"), re.DOTALL | re.MULTILINE)


def test_links_to_headings_are_valid() -> None:
    broken = [
        (name, target, anchor)
        for name, (target, anchor) in found(r"\]\(([^)#:]*)#([^)]+)\)", *DOCUMENTS)
        if anchor not in headings((ROOT / name).parent / target if target else ROOT / name)
    ]
    assert broken == []


@pytest.mark.parametrize("page", READERS)
def test_a_page_begins_with_the_list_of_its_headings(page: str) -> None:
    introduction, *_ = re.split(r"^## ", read(f"docs/{page}.md"), maxsplit=1, flags=re.MULTILINE)
    (listed,) = CONTENTS.findall(introduction)
    found = [f"- [{each}](#{anchor(each)})" for each in titles(read(f"docs/{page}.md"), "##")]
    assert len(found) > 10
    assert listed.splitlines() == found


@pytest.mark.parametrize("page", READERS)
def test_a_page_has_no_more_words_than_are_read_through(page: str) -> None:
    assert len(read(f"docs/{page}.md").split()) <= READERS[page]


def test_the_list_of_headings_is_in_no_email() -> None:
    chapters = players_guide().chapters
    assert [each.title for each in chapters] == titles(read("docs/players.md"), "##")
    assert [each.title for each in chapters if "On this page" in each.text] == []
    with closing(Conversation(RULESETS)) as running:
        for topic in ("", " JOINING"):
            asked = f"=== frodo@shire.example writes\n\nHELP{topic}\n"
            running.run(f"{asked}=== frodo@shire.example gets mail")
        mails = [each.shown for each in running.person("frodo@shire.example").got]
    assert f"There is also HELP on {chapters[0].word}, " in mails[0]
    assert "Send an email with the word LIST" in mails[1]
    assert [each for each in mails if "On this page" in each or "](#" in each] == []


def test_the_index_has_every_document() -> None:
    pages = {each for each in (ROOT / "docs").rglob("*.md") if each.name != "README.md"}
    inside = [each for each in pages if {"adr", "examples"} & {*each.parts}]
    assert pages - {*inside} - listed_documents() == set()
    assert [each for each in listed_documents() if not each.exists()] == []
    assert "](docs/README.md)" in read("README.md")


def test_paths_in_documents_exist() -> None:
    lost = [
        (name, path)
        for name, path in found(rf"`((?:{FOLDERS})/[^`\s]*)`", *TODAY)
        for key in (RULESETS if "KEY" in path else [""])
        if not any(ROOT.glob(path.replace("KEY", key).rstrip("/")))
    ]
    assert lost == []


def test_tests_that_are_named_in_code_exist() -> None:
    names = [*found(r"``(tests/[\w/]+)``", *CODE), *found(r"\b(tests(?:\.[a-z_]\w*)+)", *CODE)]
    assert [(file, name) for file, name in names if not _leads(name.replace(".", "/"))] == []


def _leads(path: str) -> bool:
    """Return whether a path is that of a module, a folder, or a name in a module."""
    module = path.rpartition("/")[0]
    return (
        any((ROOT / each).is_file() for each in (f"{path}.py", f"{module}.py"))
        or (ROOT / path).is_dir()
    )


def test_modules_and_classes_in_documents_exist() -> None:
    modules = {each.stem for each in (ROOT / "referee").iterdir() if each.suffix in ("", ".py")}
    for _, name in found(r"`(referee(?:\.\w+)+)`", *TODAY):
        if name.split(".")[1] in modules:
            assert pkgutil.resolve_name(name) is not None


def targets() -> set[str]:
    """Return the targets of the Makefile that are not files."""
    (phony,) = re.findall(r"^\.PHONY: (.+)$", read("Makefile"), re.MULTILINE)
    return set(phony.split())


def test_make_help_lists_every_target() -> None:
    output = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert {line.split()[1] for line in output.splitlines()} == targets()
    assert all(len(line.split()) > 2 for line in output.splitlines())


def test_targets_that_are_named_exist() -> None:
    pattern = r"(?:`|^)make ([a-z][a-z-]*)\b"
    names = [*found(pattern, *TODAY), *found(r"^as_root .* make ([a-z-]+)", ROOT / ".ci" / "run")]
    assert [(file, name) for file, name in names if name not in targets()] == []


def test_variables_passed_to_make_are_used_there() -> None:
    variables = set(re.findall(r"^([A-Z]+) \?=", read("Makefile"), re.MULTILINE))
    commands = [command for _, command in found(r"`make ([^`\n]*)`", *TODAY)]
    given = {name for command in commands for name in re.findall(r"\b([A-Z]+)=", command)}
    given |= set(re.findall(r"`([A-Z]+)=", read("CONTRIBUTING.md")))
    assert given - variables == set()


def test_tests_that_make_and_ci_name_exist() -> None:
    makefile, ci = ROOT / "Makefile", ROOT / ".ci" / "run"
    paths = [*found(r"\b(tests/[\w/.]+)", makefile, ci)]
    modules = [*found(r" -m (tests[\w.]+)", makefile)]
    assert [(file, path) for file, path in paths if not (ROOT / path).exists()] == []
    assert [(file, name) for file, name in modules if not _leads(name.replace(".", "/"))] == []
    assert {file for file, _ in paths} == {"Makefile", ".ci/run"}


def tree() -> dict[str, str]:
    """Return the paths in the tree of the architecture, each with its description."""
    (block,) = re.findall(r"```\n(referee/\n.*?)```", read("docs/architecture.md"), re.DOTALL)
    paths, above = {}, ""
    for line in block.splitlines():
        name, _, caption = line.strip().partition(" ")
        if not line.startswith(" "):
            above = name
        paths[above + name if line.startswith(" ") else name] = caption.strip()
    return paths


def folders(place: Path) -> set[str]:
    """Return the folders in a place that contain something of ours."""
    return {
        f"{each.relative_to(ROOT)}/"
        for each in place.iterdir()
        if each.is_dir() and not each.name.startswith((".", "_"))
    }


def test_the_tree_of_the_architecture_is_that_of_the_project() -> None:
    package = ROOT / "referee"
    modules = {f"referee/{each.name}" for each in package.glob("[!_]*.py")}
    carried = {f"{name}/" for name in ("referee", "tests", *FOLDERS.split("|"))} - {"docs/"}
    assert set(tree()) == carried | modules | folders(package)


def test_the_rules_of_reading_are_listed_with_their_reasons() -> None:
    text = read("docs/architecture.md").partition("## The path of an email")[2]
    listed = re.findall(r"^\| `([a-z_.]+)` \| (.*) \|$", text, re.MULTILINE)
    modules = [rule.work.__module__.rpartition(".")[2] for rule in READING]
    names = [
        f"{module}.{rule.work.__name__}" for module, rule in zip(modules, READING, strict=True)
    ]
    reasons = [rule.why for rule in READING]
    assert listed == [
        (name.removeprefix("reading."), why) for name, why in zip(names, reasons, strict=True)
    ]


def test_each_room_is_described() -> None:
    text = read("docs/architecture.md")
    contracts = tomllib.loads(read("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    floors = [each["layers"] for each in contracts if each["name"].startswith("The rooms of")]
    rooms = [[room for floor in layers for room in floor.split(" | ")] for layers in floors]
    lists = re.findall(r"\(((?:`\w+`(?:, )?)+)\)", text)
    assert rooms == [
        re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE),
        *(re.findall(r"\w+", names) for names in lists),
    ]


def test_the_list_of_choices_has_each_once() -> None:
    listed = re.findall(r"^\| \[(\d+)\]\((.+?)\)", read("docs/adr/README.md"), re.MULTILINE)
    files = sorted(file.name for file in (ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert [(int(number), name) for number, name in listed] == list(enumerate(files, 1))


def test_the_list_of_grammars_has_each_once() -> None:
    listed = re.findall(r"^\| `(\w+\.lark)` \|", read("grammars/README.md"), re.MULTILINE)
    assert sorted(listed) == sorted(file.name for file in (ROOT / "grammars").glob("*.lark"))


def test_the_readme_lists_and_counts_the_games() -> None:
    readme = " ".join(read("README.md").split())
    assert f"{NUMBERS[len(RULESETS)].capitalize()} games are included" in readme
    assert [game.info.title for game in RULESETS.values() if game.info.title not in readme] == []


def test_the_orders_in_the_readme_get_its_answer() -> None:
    orders, answer, *_ = re.findall(r"^```\n(.*?)^```", read("README.md"), re.DOTALL | re.MULTILINE)
    with closing(Conversation(RULESETS)) as running:
        running.run(STARTED)
        running.run(f"=== frodo@shire.example replies\n{orders}\n=== frodo@shire.example gets mail")
        shown = running.person("frodo@shire.example").got[-1].shown
    assert answer in shown


def test_games_that_can_be_watched_exist() -> None:
    pattern = r"(?:make demo GAME=|referee demo )([a-z_-]+)"
    # Besides the installed games, the example for authors has a cast.
    keys = {*cast_keys(), "rps"}
    assert [(file, key) for file, key in found(pattern, *TODAY) if key not in keys] == []


def test_the_scenario_of_contributing_is_played(tmp_path: Path) -> None:
    file = tmp_path / "starweb" / "example.toml"
    file.parent.mkdir()
    file.write_text(examples("toml")[0], encoding="utf-8")
    (result,) = run_cases([file], RULESETS)
    assert result.differences == ()


def test_the_conversation_of_contributing_goes_as_written() -> None:
    (conversation,) = examples("text")
    with closing(Conversation(RULESETS)) as running:
        running.run(conversation)


@pytest.mark.parametrize("thing", ["command", "order"])
def test_contributing_counts_the_places_of_a_new_one(thing: str) -> None:
    text = section(read("CONTRIBUTING.md"), f"A new {thing}")
    (number,) = re.findall(rf"^A new {thing} has (\w+) places", text, re.MULTILINE)
    assert len(re.findall(r"^[0-9]\. ", text, re.MULTILINE)) == NUMBERS.index(number)


def test_contributing_lists_who_can_send_a_command_and_what_commands_do() -> None:
    rows = re.findall(r"^\|(.*)\| \|(.*)\|$", read("CONTRIBUTING.md"), re.MULTILINE)
    columns = [[name for each in column for name in re.findall(r"^ `(\w+)`", each)]
               for column in zip(*rows, strict=True)]  # fmt: skip
    assert columns == [
        ["For", *(each.name for each in For)],
        ["Effect", *(each.name for each in Effect)],
    ]


def test_the_letter_of_contributing_is_read_as_in_its_table() -> None:
    (letter,) = examples("eml")
    (expected,) = tomllib.loads(examples("toml")[1]).values()
    own = own_text(decode(letter.encode()).text)
    assert expected == {
        "own": [line.text for line in own.lines if line.text.strip()],
        "quoted": own.quoted,
    }


def test_the_table_of_robots_has_two_tournaments_for_each_game() -> None:
    heads, _, *rows = [
        line.strip("| ").split(" | ")
        for line in read("docs/robots.md").split("## How they play")[0].splitlines()
        if line.startswith("|")
    ]
    assert heads[1:3] == [f"{each.better.value} against {each.worse.value}" for each in PAIRINGS]
    titles = sorted(row[0].partition(",")[0] for row in rows)
    assert titles == sorted(game.info.title for game in RULESETS.values())
    for title, *results, costs in rows:
        games = int(*re.findall(r", (\d+) games", title) or [200])
        assert len(results) == len(PAIRINGS) == len(costs.split(", "))
        assert all(float(cost) <= 2 for cost in costs.split(", "))
        for result in results:
            won, lost, tied = map(int, re.findall(r"\d+", result.partition("(")[2]))
            assert won + lost + tied == games
            assert result == f"{100 * (won + tied / 2) / games:.1f} % ({won}, {lost}, {tied})"
            assert won > lost
