"""Functions of the desk that need its parts take one Desk."""

import ast
from typing import get_type_hints

import pytest

from referee.desk.base.desk import Desk
from tests.support.modules import trees

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
        f"{file}: {node.name}"
        for file, tree in trees(*PARTS)
        if file.parts[1] == "desk"
        for node in ast.walk(tree)
        if isinstance(node, FUNCTION) and types_of(node) >= PARTS
    ]
    assert found == []
