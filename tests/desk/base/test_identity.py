"""Proofs: made in one place, and a letter that is proven further is asked about less."""

import ast
from itertools import pairwise

import pytest

from referee.cli import mail
from referee.desk.base import identity
from referee.desk.base.identity import Trust
from referee.desk.reception.pending import ASKED, Need
from tests.support.modules import trees


@pytest.mark.slow
def test_only_the_module_of_prove_makes_proofs() -> None:
    assert not [path for path, tree in trees("Proof") if "Proof" in _taken_from_identity(tree)]


def _taken_from_identity(tree: ast.Module) -> set[str]:
    """Return the names that a module imports from that of prove."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    imports = [node for node in nodes if node.module == identity.__name__]
    return {name.name for node in imports for name in node.names}


def test_more_proof_is_asked_about_less() -> None:
    assert set(ASKED) == set(Trust)
    tied = [trust for trust in Trust if trust is not Trust.MAILBOX]
    for less, more in pairwise(tied):
        assert ASKED[more] <= ASKED[less]


def test_a_believed_letter_acts_for_its_sender_and_a_proven_one_enters_games() -> None:
    assert {each for each in Trust if each.is_believed} == _unasked(Need.OWN)
    assert {each for each in Trust if each.is_proven} == _unasked(Need.ENTER)


def test_an_operator_reads_what_each_level_of_trust_means() -> None:
    assert set(mail._TRUST) == {trust.name.lower() for trust in Trust}


def _unasked(need: Need) -> set[Trust]:
    return {trust for trust, needs in ASKED.items() if need not in needs}
