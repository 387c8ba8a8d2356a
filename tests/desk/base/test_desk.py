"""Functions of the desk that need its parts take one Desk."""

import ast
from pathlib import Path
from typing import get_type_hints

import pytest

from referee.desk.base.desk import Desk

DESK = Path(__file__).parents[3] / "referee" / "desk"
# A Desk also has a list of faults, which callers do not pass.
PARTS = {part.__name__ for part in get_type_hints(Desk).values()} - {"list"}
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef


def types_of(function: FUNCTION) -> set[str]:
    arguments = (*function.args.args, *function.args.kwonlyargs)
    return {ast.unparse(each.annotation) for each in arguments if each.annotation is not None}


@pytest.mark.slow
def test_functions_take_a_desk_as_one_argument() -> None:
    assert len(PARTS) == 3
    found = [
        f"{file.relative_to(DESK)}: {node.name}"
        for file in sorted(DESK.rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, FUNCTION) and types_of(node) >= PARTS
    ]
    assert found == []
