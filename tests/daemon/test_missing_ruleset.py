"""A ruleset that was removed: its games wait, and everybody and everything else goes on."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.desk.base.desk import Site
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset
from tests.support.publishing import Published

ANN, GM, MERRY = "ann@one.example", "gm@example.org", "merry@shire.example"
OPERATOR, PIPPIN = "operator@referee.example", "pippin@shire.example"
WAITS = "The rules of fistful are not installed here now, so its games wait."
CREATE = 'CREATE A FISTFUL OF PLANETS SEATS 2 DEADLINE "5 days"'


class Removed(Published):
    """A conversation in which rulesets can be removed from *installed*, and come back."""

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        self.installed = dict(rulesets)
        return replace(super()._site(rulesets), rulesets=self.installed)

    def tell(self, address: str, text: str) -> str:
        """Return the answer to a signed reply to the welcome or the last email of a person."""
        got = self.person(address).got
        self.run(f"=== {address} {'replies' if got else 'writes'}\n\n{text}\n")
        return " ".join(got[-1].text.split())


@pytest.fixture
def talk() -> Iterator[Removed]:
    """Yield a site with a running and a forming game of a ruleset, and one of another."""
    with closing(Removed(installed_rulesets())) as talk:
        talk.run(f"=== {GM} writes\n\n{CREATE}\n")
        talk.run(f"=== {MERRY} writes\n\nJOIN FP-1 MERRY\n")
        talk.run(f"=== {PIPPIN} writes\n\nJOIN FP-1 PIPPIN\n")
        talk.run(f"=== {GM} writes\n\n{CREATE}\n")
        talk.run(f'=== {GM} writes\n\nCREATE STARWEB SEATS 2 DEADLINE "5 days"\n')
        yield talk


def test_everybody_else_is_answered_while_a_ruleset_is_missing(talk: Removed) -> None:
    removed = talk.installed.pop("fistful")
    listed = talk.tell(ANN, "LIST")
    assert "FP-1: A Fistful of Planets (fistful, not installed here now), 2 players" in listed
    assert listed.endswith("To join, send: JOIN SW-1")
    assert "SW-1: StarWeb" in talk.tell(MERRY, "LIST")
    assert "FP-1 A Fistful of Planets: turn 1, deadline" in talk.tell(MERRY, "FP-1\nSTATUS")
    assert "Europe/Berlin" in talk.tell(MERRY, "SET ZONE Europe/Berlin")
    assert "Attached: everything" in talk.tell(MERRY, "MY DATA")
    for line in ("FINAL", "H4", "MAP", "UNDO", "VOTE END", "RULES FP-1"):
        assert WAITS in talk.tell(PIPPIN, f"FP-1\n{line}")
    assert WAITS in talk.tell(ANN, "JOIN FP-2 ANN")
    assert "No turn of FP-1 is resolved" in talk.tell(GM, "GM FP-1\nHOLD")
    assert WAITS in talk.tell(GM, "GM FP-1\nORDERS")
    assert talk.person(OPERATOR).got == []

    talk.installed["fistful"] = removed
    assert WAITS not in talk.tell(PIPPIN, "FP-1\nORDERS")


@pytest.mark.slow
def test_turns_and_pages_of_other_games_go_on_while_a_ruleset_is_missing(
    talk: Removed, tmp_path: Path
) -> None:
    talk.run(f"=== {MERRY} writes\n\nJOIN SW-1 MERRY AS Pirate\n")
    talk.run(f"=== {ANN} writes\n\nJOIN SW-1 ANN AS Pirate\nSET DIGEST ON\n")
    talk.tell(GM, "GM FP-1\nOBSERVERS ON")
    talk.tell(GM, "CONFIRM")
    talk.run(f"=== {GM} writes\n\n{CREATE}\n")
    for who in (MERRY, PIPPIN):
        talk.run(f"=== {who} writes\n\nJOIN FP-3 {who[0]}X\n")
    talk.run("=== 5 days pass\n")
    talk.tell(GM, "GM FP-1\nEND GAME")
    talk.tell(GM, "CONFIRM")
    talk.run("=== 119 hours pass\n")
    talk.publish_to(tmp_path)
    talk.run("=== 1 minutes pass\n")
    ended = {path: page for path, page in talk.pages().items() if path.startswith("fp-1/")}
    assert "fp-1/turn-1.html" in ended
    told = len(talk.person(OPERATOR).got)

    removed = talk.installed.pop("fistful")
    talk.run("=== 1 hours pass\n")
    assert "[SW-1 T3 ANN]" in talk.person(ANN).got[-1].subject
    alerts = [each.subject for each in talk.person(OPERATOR).got[told:]]
    assert [each for each in alerts if "FP-3" not in each] == []
    pages = talk.pages()
    assert "turn 3" in pages["index.html"]
    assert {path: page for path, page in pages.items() if path.startswith("fp-1/")} == ended

    # Pages that have become too old are deleted, and written again with the rules.
    talk.tell(MERRY, "SET NAME Merry")
    assert not [path for path in talk.pages() if path.startswith("fp-1/")]
    talk.installed["fistful"] = removed
    talk.run("=== 11 minutes pass\n")
    assert talk.pages().keys() >= ended.keys()
