"""The rules of this project: sizes, words, docs, and a package that works without its checkout."""

import ast
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from referee.cli import version
from tests.support.modules import FILES, ROOT, text, trees

PACKAGE = ROOT / "referee"
Function = ast.FunctionDef | ast.AsyncFunctionDef

DEADLINES = ("due", "deadline", "scheduled", "closes")
AVOIDED = {"bot", "bots", "manager", "process", "task", "tasks", "util", "utils"}
# SQLAlchemy requires these names.
ALLOWED = {"process_bind_param", "process_result_value"}
WORDS = """referee GM operator ruleset edition game player seat standby observer turn phase order
command order-sheet provisional final standing-order default-order ruling accepted warned rejected
unparsed failed acknowledgement forecast resolve adjudicate outcome event verdict view report press
letter deadline grace NMR abandoned vacant hold absence deputy reliability quarantine outbox"""


@cache
def functions() -> tuple[tuple[Path, Function], ...]:
    return tuple(
        (file, node)
        for file, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, Function)
    )


def is_deadline(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return name.removesuffix("_at") in DEADLINES


@pytest.mark.slow
def test_only_the_arithmetic_of_deadlines_adds_to_a_deadline() -> None:
    found = {
        file
        for file, tree in trees(*DEADLINES)
        for node in ast.walk(tree)
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Add)
        if any(
            map(
                is_deadline,
                (node.target,) if isinstance(node, ast.AugAssign) else (node.left, node.right),
            )
        )
    }
    assert found <= {Path("referee/domain/deadlines.py")}


def length(node: Function) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def tracked() -> list[Path]:
    """Return the files that git knows; skip the test outside a checkout."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / name for name in done.stdout.split("\0") if name]


def test_every_module_has_a_summary() -> None:
    openings = {
        str(file): (ast.get_docstring(tree) or "").partition("\n\n")[0] for file, tree in trees()
    }
    assert [file for file, opening in openings.items() if not opening.endswith((".", ":"))] == []


def test_functions_are_short() -> None:
    lengths = {f"{file}:{node.name}": length(node) for file, node in functions()}
    assert {name: size for name, size in lengths.items() if size > 60} == {}


def test_modules_are_small() -> None:
    sizes = {str(file.relative_to(ROOT)): lines(file) for file in FILES}
    assert {name: size for name, size in sizes.items() if size > 700} == {}


def broad(node: ast.AST) -> bool:
    """Return whether *node* catches or suppresses everything."""
    everything = r"\b(Base)?Exception\b"
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or bool(re.search(everything, ast.unparse(node.type)))
    is_suppress = isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress")
    return is_suppress and bool(re.search(everything, ast.unparse(node)))


def test_everything_is_caught_around_all_work_and_around_plugins() -> None:
    found = [str(file) for file, tree in trees() for node in ast.walk(tree) if broad(node)]
    # Around all work of the daemon, one part of an answer, and the import of plugins.
    assert sorted(found) == [
        "referee/daemon/supervisor.py",
        "referee/desk/base/desk.py",
        "referee/errors.py",
        "referee/plugins/origin.py",
    ]


def named(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def parts(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def test_names_are_specific() -> None:
    found = {
        f"{file}: {name}"
        for file, tree in trees()
        for name in {*named(tree), file.stem}
        if parts(name) & AVOIDED and name not in ALLOWED
    }
    assert found == set()


def test_no_module_lists_the_games() -> None:
    keys = {game.name for game in (PACKAGE / "rulesets").iterdir() if game.name[0] != "_"}
    named = {
        str(file): {
            node.value.lower()
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        & keys
        for file, tree in trees()
        if file.parts[1] != "rulesets" and file.stem not in keys
    }
    assert [file for file, found in named.items() if len(found) > 1] == []


def test_no_todo_is_left() -> None:
    marks = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "NotImplemented" + "Error")))
    found = [str(file) for file in FILES if marks.search(text(file))]
    assert found == []


def test_no_file_knows_a_machine() -> None:
    folders = "|".join(("work", "home", "root", "Users", "tmp/scratch"))
    place = re.compile(rf"(?<![\w.~-])/(?:{folders})/[\w.]+".encode())
    found = [
        f"{file.relative_to(ROOT)}: {hit[0].decode()}"
        for file in tracked()
        if file.is_file() and (hit := place.search(file.read_bytes()))
    ]
    assert found == []


def test_the_readme_begins_with_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme
    assert lines(ROOT / "README.md") < 80


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_the_usual_files_exist(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0


def documents() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("*/README.md")])


def test_links_between_documents_are_valid() -> None:
    broken = [
        f"{file.relative_to(ROOT)}: {target}"
        for file in documents()
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
        if not (file.parent / target).exists()
    ]
    assert broken == []


def test_the_glossary_explains_every_word_of_the_project() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"\*\*(.+?)\*\*", glossary))
    wanted = {word.replace("-", " ") for word in WORDS.split()}
    assert wanted - explained == set()


def test_every_command_is_in_the_operators_guide() -> None:
    from referee.cli import COMMANDS

    guide = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"referee {name}" not in guide] == []


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel and unpack it outside the checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
        cwd=ROOT,
        capture_output=True,
        timeout=120,
        check=True,
    )
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    zipfile.ZipFile(wheel).extractall(site)
    return site


def python(site: Path, *arguments: str) -> str:
    """Run Python with the unpacked wheel first on its path, outside the checkout."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_wheel_runs(installed: Path) -> None:
    assert python(installed, "-c", "import referee; print(referee.__file__)") == str(
        installed / "referee" / "__init__.py"
    )
    commit = f" (commit {version.commit()})" if version.commit() else ""
    assert python(installed, "-m", "referee", "--version") == f"referee 1.0.0{commit}"


def test_the_wheel_has_no_files_to_install_it(installed: Path) -> None:
    deploy = installed / "referee" / "_data" / "deploy"
    assert [each.name for each in deploy.iterdir()] == ["referee.toml"]


def test_the_wheel_contains_the_folders_next_to_the_package(installed: Path) -> None:
    code = (
        "from referee import resources\n"
        "for name in sorted(resources.FOLDERS):\n"
        "    folder = resources.folder(name)\n"
        "    print(name, folder.parent.name, any(folder.iterdir()))\n"
    )
    names = "deploy docs grammars mailtemplates migrations"
    folders = names.split()
    expected = "\n".join(f"{name} _data True" for name in folders)
    assert python(installed, "-c", code) == expected


@pytest.mark.release
def test_the_wheel_makes_a_working_installation(installed: Path, tmp_path: Path) -> None:
    python(installed, "-m", "referee", "init", str(tmp_path))
    code = (
        "from pathlib import Path\n"
        "from referee.app import build\n"
        "from referee.settings import load\n"
        f"app = build(load(Path({str(tmp_path / 'referee.toml')!r})))\n"
        "print(sorted(app.site.rulesets))\n"
        "app.close()\n"
    )
    assert "'starweb'" in python(installed, "-c", code)
