"""The arithmetic of votes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.house_rules import HOUSE_OPTIONS, VotingRules
from referee.domain.votes import ENDINGS, Motion, Quorum, Secrecy, Tally, VoteResult, decide, needed

QUORUMS = st.sampled_from(Quorum)
VOTERS = st.integers(0, 300)


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    entitled = draw(VOTERS)
    yes = draw(st.integers(0, entitled))
    return Tally(yes, draw(st.integers(0, entitled - yes)), entitled)


@pytest.mark.parametrize(
    ("quorum", "entitled", "enough"),
    [
        (Quorum.MAJORITY, 2, 2),
        (Quorum.MAJORITY, 3, 2),
        (Quorum.MAJORITY, 4, 3),
        (Quorum.TWO_THIRDS, 2, 2),
        (Quorum.TWO_THIRDS, 3, 2),
        (Quorum.TWO_THIRDS, 4, 3),
        (Quorum.TWO_THIRDS, 6, 4),
        (Quorum.ALL, 7, 7),
        (Quorum.NEVER, 7, 8),
    ],
)
def test_the_number_of_votes_needed(quorum: Quorum, entitled: int, enough: int) -> None:
    assert needed(quorum, entitled) == enough


@given(st.integers(1, 300))
def test_a_quorum_is_the_smallest_sufficient_number(entitled: int) -> None:
    most, thirds = needed(Quorum.MAJORITY, entitled), needed(Quorum.TWO_THIRDS, entitled)
    assert 2 * most > entitled >= 2 * (most - 1)
    assert 3 * thirds >= 2 * entitled > 3 * (thirds - 1)
    assert 1 <= most <= max(thirds, most) <= needed(Quorum.ALL, entitled) == entitled


@given(tallies(), QUORUMS, st.booleans())
def test_after_its_time_a_vote_is_decided_and_not_voting_counts_as_no(
    tally: Tally, quorum: Quorum, secret: bool
) -> None:
    found = decide(tally, quorum, secret=secret, over=True)
    assert found is (
        VoteResult.PASSED if tally.yes >= needed(quorum, tally.entitled) else VoteResult.NOT_PASSED
    )


@given(tallies(), QUORUMS, st.booleans(), st.data())
def test_missing_votes_could_not_change_an_early_decision(
    tally: Tally, quorum: Quorum, secret: bool, data: st.DataObject
) -> None:
    early = decide(tally, quorum, secret=secret, over=False)
    silent = tally.entitled - tally.yes - tally.no
    more = data.draw(st.integers(0, silent))
    later = Tally(tally.yes + more, tally.no + silent - more, tally.entitled)
    if early is not VoteResult.OPEN:
        assert decide(later, quorum, secret=secret, over=True) is early


@given(tallies(), QUORUMS)
def test_a_secret_vote_closes_early_only_when_all_have_voted(tally: Tally, quorum: Quorum) -> None:
    closed = decide(tally, quorum, secret=True, over=False) is not VoteResult.OPEN
    assert closed == (tally.entitled > 0 and tally.yes + tally.no == tally.entitled)


@given(tallies(), QUORUMS, st.booleans())
def test_one_more_yes_never_changes_passed_to_lost(
    tally: Tally, quorum: Quorum, secret: bool
) -> None:
    if tally.no and decide(tally, quorum, secret=secret, over=True) is VoteResult.PASSED:
        better = Tally(tally.yes + 1, tally.no - 1, tally.entitled)
        assert decide(better, quorum, secret=secret, over=True) is VoteResult.PASSED


def test_options_the_gm_did_not_choose_have_defaults() -> None:
    rules = VotingRules.of({"vote_draw": "never", "secret_votes": "none", "vote_days": 5})
    assert rules.quorums[Motion.DRAW] is Quorum.NEVER
    assert rules.quorums[Motion.EXTEND] is Quorum.MAJORITY
    assert rules.quorums[Motion.HOLD] is Quorum.TWO_THIRDS
    assert rules.quorums.keys() == set(Motion)
    assert not any(rules.secrecy.hides(motion) for motion in Motion)
    assert {motion for motion in Motion if Secrecy.ENDINGS.hides(motion)} == ENDINGS
    of_numbers = [option for option in HOUSE_OPTIONS if option.kind is int]
    assert all(option.lowest < option.highest for option in of_numbers)


@pytest.mark.parametrize("pausing", ["never", "all"])
def test_no_option_keeps_players_from_resuming_a_game(pausing: str) -> None:
    assert VotingRules.of({"vote_hold": pausing}).quorums[Motion.RESUME] is Quorum.MAJORITY
