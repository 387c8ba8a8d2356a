"""Facts of an acknowledgement that its words depend on."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.sheets import Change
from referee.letters.outgoing.compose import Composer
from referee.letters.outgoing.notices import CommandReply, LineError, RuledOrder
from tests.letters.notices import ACCEPTED, FAULTS, WARNED, acknowledgement

COMPOSER = Composer("games@referee.example")
KEPT = replace(ACCEPTED[0], line=0)
KEPT_WARNED = replace(WARNED[0], line=0)
FILED = replace(FAULTS[1], filed=True)
KEPT_REJECTED = replace(FILED, line=0)
PROSE = LineError(1, "I am back on Monday.", "This is not an order.", is_words=True)
FINAL = CommandReply(13, "FINAL", "You are ready.")


def test_orders_of_the_email_are_those_with_a_line() -> None:
    notice = acknowledgement(
        accepted=(KEPT, *ACCEPTED),
        warned=(KEPT_WARNED, *WARNED),
        faults=(PROSE, *FAULTS, FILED, KEPT_REJECTED),
    )
    assert notice.words == (PROSE,)
    assert notice.rejected == (*FAULTS, FILED, KEPT_REJECTED)
    assert notice.sent_rejected == (*FAULTS, FILED)
    assert notice.sent_warned == WARNED
    assert notice.sent_accepted == ACCEPTED
    assert notice.sent_valid == len(ACCEPTED) + len(WARNED)
    assert notice.sent == notice.sent_valid + len(FAULTS) + 1


def test_a_rejected_order_is_on_the_sheet_only_if_it_is_filed() -> None:
    notice = acknowledgement(accepted=(KEPT, ACCEPTED[1]), faults=(FAULTS[0], FILED, KEPT_REJECTED))
    assert (notice.on_sheet, notice.kept, notice.kept_rejected) == (4, 2, 1)


def test_an_empty_letter_has_no_orders_and_no_commands() -> None:
    notice = acknowledgement(change=Change.NONE)
    assert notice.is_unchanged
    assert notice.has_no_orders
    assert not notice.has_only_commands


def test_a_letter_that_changed_the_sheet_does_not_have_only_commands() -> None:
    assert acknowledgement(change=Change.NONE, said=(FINAL,)).has_only_commands
    assert not acknowledgement(change=Change.REDUCED, said=(FINAL,)).has_only_commands
    assert not acknowledgement(change=Change.NONE, said=(FINAL,), filed=False).has_only_commands
    assert not acknowledgement(accepted=ACCEPTED, said=(FINAL,)).has_only_commands


def test_a_rejected_order_can_be_fixed_before_the_turn_is_resolved() -> None:
    assert acknowledgement(faults=FAULTS).is_fixable
    assert acknowledgement(faults=(KEPT_REJECTED,)).is_fixable
    assert not acknowledgement(faults=(PROSE,)).is_fixable
    assert not acknowledgement(faults=FAULTS, closed="The turn is resolved now").is_fixable
    assert not acknowledgement(faults=FAULTS, filed=False).is_fixable


def test_orders_are_out_of_turn_if_all_are_rejected_and_none_is_awaited() -> None:
    out = acknowledgement(faults=FAULTS, awaited=False)
    assert out.is_out_of_turn
    assert not out.is_fixable
    for notice in (
        acknowledgement(faults=FAULTS, awaited=True),
        acknowledgement(faults=FAULTS, accepted=ACCEPTED, awaited=False),
        acknowledgement(faults=FAULTS, accepted=(KEPT,), awaited=False),
        acknowledgement(faults=FAULTS, awaited=False, closed="The turn is resolved now"),
        acknowledgement(faults=(KEPT_REJECTED,), awaited=False),
    ):
        assert not notice.is_out_of_turn


def test_final_is_mentioned_while_the_turn_is_open() -> None:
    assert acknowledgement(final=True).says_final
    assert not acknowledgement(final=False).says_final
    assert not acknowledgement(final=True, closed="The turn is resolved now").says_final
    assert not acknowledgement(final=True, coming=True).says_final


def test_a_player_without_a_sheet_or_standing_orders_misses_the_turn() -> None:
    assert acknowledgement(change=Change.NONE, faults=FAULTS).misses_turn
    for notice in (
        acknowledgement(change=Change.NONE, faults=FAULTS, replaces=3017),
        acknowledgement(change=Change.NONE, faults=FAULTS, standing=True),
        acknowledgement(change=Change.NONE, faults=FAULTS, awaited=False),
        acknowledgement(change=Change.NONE, faults=FAULTS, coming=True),
        acknowledgement(change=Change.NONE, faults=FAULTS, closed="The turn is resolved now"),
        acknowledgement(accepted=ACCEPTED),
    ):
        assert not notice.misses_turn


@pytest.mark.parametrize(
    ("before", "lost", "is_big"),
    [(40, 40, True), (40, 21, True), (40, 20, False), (9, 5, True), (10, 5, False), (4, 4, False)],
)
def test_a_loss_is_big_from_five_orders_and_more_than_half(
    before: int, lost: int, is_big: bool
) -> None:
    assert acknowledgement(before=before, lost=lost).is_big_loss == is_big
    assert not acknowledgement(before=before, lost=lost, filed=False).is_big_loss


@given(
    st.lists(st.sampled_from([FILED, KEPT_REJECTED, FAULTS[0]]), max_size=4),
    st.lists(st.sampled_from([WARNED[0], KEPT_WARNED]), max_size=3),
    st.lists(st.sampled_from([ACCEPTED[1], KEPT]), max_size=4),
)
def test_every_order_is_under_exactly_one_heading(
    rejected: list[LineError], warned: list[RuledOrder], accepted: list[RuledOrder]
) -> None:
    notice = acknowledgement(faults=tuple(rejected), warned=tuple(warned), accepted=tuple(accepted))
    text = COMPOSER.words(notice).text
    numbers = re.findall(r"(?m)^(?:REJECTED|WARNINGS|ACCEPTED)[A-Z ]* \((\d+)\)$", text)
    unfiled = rejected.count(FAULTS[0])
    assert sum(map(int, numbers)) == len(rejected) + len(warned) + len(accepted)
    assert sum(map(int, numbers)) - unfiled == notice.on_sheet
    assert " ".join(text.split()).count("Not on your sheet.") == unfiled
    assert text.count("The order stays on your sheet") == len(rejected) - unfiled
