"""The contents of reports after a turn: worlds, players met, signs, and reasons."""

import pytest

from referee.rules.ruleset import Outcome, Seat
from referee.rulesets.starweb import orders as o
from referee.rulesets.starweb.report import contacts, gm_notes
from referee.rulesets.starweb.state import Character, Departure, Echo, State
from referee.rulesets.starweb.turn import TURN, phase, resolve
from tests.rulesets.starweb.galaxies import CERES, DICE, MARS, TEJAT, galaxy, outcome, resolved

GALAXY = """
W1 (2,3) [CERES] (Population=20,P-Ships=5)
   F1[CERES]=9
   F4[CERES]=2
W2 (1,4) [MARS] (Population=20,P-Ships=1)
   F2[MARS]=3
W3 (1) [TEJAT] (Population=20,P-Ships=1)
W4 (2) []
W5 () [] C[TEJAT] (Population=9/1C)
W6 ()
"""


def state() -> State:
    return galaxy(GALAXY)


def test_a_world_is_shown_to_its_owner_and_to_those_with_fleets_or_converts_there() -> None:
    players = resolved(state()).state.players
    assert players[CERES].worlds == {1}
    assert players[MARS].worlds == {2}
    assert players[TEJAT].worlds == {3, 5}


def test_worlds_left_passed_and_probed_are_shown_and_charted() -> None:
    orders = [o.MoveFleet(1, (2, 4)), o.ProbeFromFleet(4, 3)]
    player = resolved(state(), ceres=orders).state.players[CERES]
    assert player.worlds == {1, 2, 3, 4}
    assert player.charted.keys() == {1, 2, 3, 4}


def test_a_probe_is_not_seen_by_others() -> None:
    after = resolved(state(), ceres=[o.ProbeFromFleet(4, 3)]).state
    assert (after.players[CERES].seen, after.players[TEJAT].seen) == ((TEJAT,), ())


@pytest.mark.parametrize(
    ("character", "people", "order", "shown"),
    [
        (Character.EMPIRE_BUILDER, "20", o.MigratePeople(1, 2, 2), {1}),
        (Character.BERSERKER, "20R", o.MigratePeople(1, 2, 2), {1, 2}),
        (Character.APOSTLE, "20/9C", o.MigrateConverts(1, 2, 2), {1, 2}),
    ],
)
def test_migrants_send_a_report_if_they_are_robots_or_converts(
    character: Character, people: str, order: o.Order, shown: set[int]
) -> None:
    apostle = " C[CERES]" if "C" in people else ""
    given = galaxy(
        f"""
        W1 (2) [CERES]{apostle} (Industry=4,Metal=4,Population={people})
        W2 (1) [MARS] (Population=50,P-Ships=1)
        """,
        {CERES: character},
    )
    assert resolved(given, ceres=[order]).state.players[CERES].worlds == shown


def test_the_home_world_is_always_shown() -> None:
    given = state()
    given.players[TEJAT].home = 6
    assert resolved(given).state.players[TEJAT].worlds == {3, 5, 6}


def test_a_world_lost_is_shown_once_more() -> None:
    given = galaxy("W7 (8) [CERES] (Population=5)\nW8 (7)\n   F3[MARS]=2")
    after = resolved(given, mars=[o.MoveFleet(3, (7,))])
    assert after.state.players[CERES].worlds == {7}
    assert resolved(after.state).state.players[CERES].worlds == set()


def test_players_meet_those_named_in_their_reports() -> None:
    after = resolved(state(), ceres=[o.MoveFleet(1, (2, 4))]).state
    assert contacts(after, CERES) == {MARS}
    assert contacts(after, MARS) == {CERES}
    assert contacts(after, TEJAT) == frozenset()


def test_players_named_in_the_report_are_seen_in_random_order() -> None:
    orders = [o.MoveFleet(1, (2,)), o.ProbeFromFleet(4, 3)]
    seen = resolved(state(), ceres=orders).state.players[CERES].seen
    assert seen == tuple(DICE.at("turn 1", "seen", CERES).shuffled([MARS, TEJAT]))


def test_a_sign_is_read_on_meeting_and_after_a_change() -> None:
    given = state()
    first = resolved(given, mars=[o.PostSign(("Keep off",))]).state
    assert first.players[CERES].signs == ()
    met = resolved(first, ceres=[o.MoveFleet(1, (2,))]).state
    assert met.players[CERES].signs == (MARS,)
    assert resolved(met).state.players[CERES].signs == ()
    changed = resolved(met, mars=[o.PostSign(("Welcome", "friends"))]).state
    assert changed.players[CERES].signs == (MARS,)
    assert changed.players[MARS].sign == ("Welcome", "friends")


def test_departures_name_each_hop() -> None:
    after = resolved(state(), ceres=[o.MoveFleet(1, (2, 1))]).state
    assert after.departures == [Departure(1, 1, CERES, 2), Departure(2, 1, CERES, 1)]
    assert resolved(after).state.departures == []


def test_orders_are_repeated_with_the_reasons_of_those_that_failed() -> None:
    orders = [o.MoveFleet(1, (99,)), o.Load(4), o.MakePeace(4)]
    after = resolved(state(), ceres=orders).state
    assert after.players[CERES].echo == (
        Echo("F1W99", "W99 is not next to W1"),
        Echo("F4L", "W1 has no metal left"),
        Echo("F4Q"),
    )


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (o.MoveFleet(9, (2,)), "There is no F9."),
        (o.MoveFleet(2, (1,)), "F2 is not yours."),
        (o.MoveFleet(1, (2, 3)), "W3 is not next to W2."),
        (o.MoveFleet(1, ()), "F1 can move one, two or three worlds."),
        (o.BuildHomeShips(2, 1, o.Home.PEOPLE), "W2 is not yours."),
        (o.BuildHomeShips(77, 1, o.Home.PEOPLE), "W77 is not yours."),
        (o.BuildHomeShips(1, 1, o.Home.PEOPLE), "W1 does not have enough industry left."),
        (o.BuildRobots(1, 1), "No robots live on W1."),
        (o.ScrapShips(1, 1), "One industry needs 4 I-Ships, and W1 has 0."),
        (o.TransferToFleet(1, 2, 2), "F2 is not at W1."),
        (o.TransferToFleet(1, 2, 1), "F1 cannot transfer to itself."),
        (o.TransferFromHome(o.Home.INDUSTRY, 1, 2, 1), "W1 has no I-Ships left."),
        (o.Unload(1), "F1 carries no metal."),
        (o.ProbeFromFleet(1, 4), "W4 is not next to W1."),
        (o.ProbeFromHome(o.Home.INDUSTRY, 1, 2), "W1 has no I-Ship for a probe."),
        (o.FireAtFleet(1, o.Trigger.ALWAYS, 2), "F2 is not at W1."),
        (o.FireAtFleet(1, o.Trigger.ALWAYS, 1), "F1 cannot fire at itself."),
        (o.HomeFireAtConverts(o.Home.PEOPLE, 1, o.Trigger.ALWAYS), "There are no converts on W1."),
        (o.HomeFireAtFleet(o.Home.INDUSTRY, 1, o.Trigger.ALWAYS, 1),
         "W1 has no I-Ships to fire with."),
        (o.DeclareAlly("MARS"), "You have not met MARS."),
        (o.DeclareAlly("nobody"), "You have not met NOBODY."),
        (o.GiveFleet(1, "CERES"), "CERES is your own name."),
        (o.DeclareJihad("MARS"), "Only an Apostle can declare a jihad."),
        (o.RobotAttack(1, 3), "Only a Berserker can land robots."),
        (o.BuildBomb(1), "A bomb needs more than 25 ships on F1."),
        (o.DropBomb(1), "F1 carries no planet buster bomb."),
        (o.HookArtifact(12, 1), "V12 is not yours."),
        (o.DropArtifact(12), "None of your fleets carries V12."),
        (o.Plunder(2), "W2 is not yours."),
        (o.HoldAmbush(12), "There is no W12."),
        (o.VoteEnding(999), "The ending score must be from 1000 to 10000."),
        (o.PostSign(("x" * 79,)), "A sign has one or two lines of at most 78 characters."),
        (o.MigratePeople(1, 1, 5), "W5 is not next to W1."),
        (o.MigrateConverts(1, 1, 2), "W1 has nobody to send."),
    ],
)  # fmt: skip
def test_a_failed_order_has_a_reason(order: o.Order, reason: str) -> None:
    assert outcome(state(), order) == Outcome(done=False, reason=reason)


@pytest.mark.parametrize(
    ("order", "remark"),
    [
        (o.TransferToFleet(1, 20, 4), "F1 has only 9 ships to transfer."),
        (o.MakePeace(1), ""),
        (o.HoldAmbush(), ""),
        (o.VoteEnding(1000), ""),
    ],
)
def test_an_order_that_is_done_can_have_a_remark(order: o.Order, remark: str) -> None:
    assert outcome(state(), order) == Outcome(done=True, reason=remark)


def test_an_excluded_order_names_the_other_one() -> None:
    rows = resolved(state(), ceres=[o.MoveFleet(1, (2,)), o.GiveFleet(1, "MARS")]).outcomes[CERES]
    assert [what.reason for _, what in rows] == ["", "F1W2 was typed first."]


def test_a_repeated_order_counts_once() -> None:
    rows = resolved(state(), ceres=[o.MoveFleet(1, (2,)), o.MoveFleet(1, (2,))]).outcomes[CERES]
    twice = "This order was on your sheet twice, and counts once."
    assert [what.reason for _, what in rows] == ["", twice]


def test_a_mistake_does_not_exclude_its_own_correction() -> None:
    vote = [o.VoteEnding(800), o.VoteEnding(5000)]
    rows = resolved(state(), ceres=vote).outcomes[CERES]
    assert [what.reason for _, what in rows] == ["ENDING 5000 counts instead.", ""]


def test_orders_of_a_missing_seat_fail() -> None:
    rows = resolve(state(), {Seat(9): [o.Load(1)]}, frozenset(), DICE).outcomes[Seat(9)]
    assert rows == ((o.Load(1), Outcome(done=False, reason="You have no seat in this game.")),)


def test_the_vote_is_for_turn_one() -> None:
    after = resolved(state(), ceres=[o.VoteEnding(5000)]).state
    assert after.players[CERES].ending == 5000
    assert (
        outcome(after, o.VoteEnding(6000)).reason
        == "You can vote for the ending score only on turn 1."
    )


def test_orders_of_all_seats_are_awaited_until_the_game_is_over() -> None:
    given = state()
    assert phase(given).awaiting == {CERES, MARS, TEJAT}
    given.finished = True
    assert phase(given).awaiting == frozenset()


def test_the_gm_notes_show_the_start_and_the_black_box() -> None:
    given = galaxy(GALAXY, {CERES: Character.PIRATE})
    given.fairness = "even"
    assert gm_notes(given) == ("even", "The Black Box does nothing.")


def test_every_step_of_the_turn_cites_a_section() -> None:
    assert [step for step in TURN if not step.reason.startswith("s")] == []
