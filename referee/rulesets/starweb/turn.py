"""The sequence of a turn: every step, and the reason for its place."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Phase, Resolution, Seat
from referee.rules.turns import Step
from referee.rulesets.starweb.news import tell
from referee.rulesets.starweb.orders import Order
from referee.rulesets.starweb.scoring import end_game, score_turn
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.steps import (
    blackbox,
    bombs,
    building,
    capture,
    cargo,
    closing,
    conversion,
    firing,
    gifts,
    growth,
    landing,
    movement,
    probes,
    sheets,
    transfers,
    treasure,
)
from referee.rulesets.starweb.turn_state import Turn

GALAXY: Final = (
    Step(closing.wipe_marks, "s27: a report shows only its own turn"),
    Step(movement.return_keys, "s25: a key lost in a black hole is elsewhere from this turn on"),
    Step(building.count_industry, "s9: only industry shown in the report can build"),
    Step(sheets.exclude, "s15, s28: of orders that exclude each other, the first typed counts"),
    Step(movement.check_routes, "s11: a route is right or wrong from the start"),
    Step(gifts.check_gifts, "s18: what is given away neither moves nor fires"),
    Step(sheets.declare, "s13, s17: a loader named this turn can load already"),
    Step(sheets.declare_jihad, "s4F: a jihad counts in the turn it is declared"),
    Step(sheets.set_peace, "s20: before conversion, because a fleet at peace converts nobody"),
    Step(sheets.hold_ambushes, "s16: for this turn's movement"),
    Step(sheets.post_signs, "s26: players who meet the owner this turn read the new sign"),
    Step(sheets.count_votes, "s30: the vote for the ending score is on turn 1"),
    Step(conversion.convert, "s4F: conversion happens where the ships begin the turn"),
    Step(cargo.unload, "s3, s13: before anything is built or loaded"),
    Step(cargo.spend_goods, "s4B: with the unloading"),
    Step(treasure.drop, "s14: with the cargo, and before anything is hooked"),
    Step(treasure.hook, "s14: before the fleet moves"),
    Step(building.scrap, "s6: only ships that began the turn as I-Ships"),
    Step(probes.probe, "s12: not with ships transferred or built this turn"),
    Step(transfers.transfer, "s6: before building and loading"),
    Step(building.build, "s9: onto the keys as the transfers left them"),
    Step(building.build_idly, "s9, s23: industry without orders builds I-Ships"),
    Step(bombs.arm, "s21: only a bomb built before this turn can be dropped"),
    Step(bombs.build_bombs, "s21: with the ships transferred and built this turn"),
    Step(cargo.load, "s13: metal left by building, onto ships that are there by now"),
    Step(growth.grow, "s10, s23: after building, with the people left free"),
    Step(bombs.ready_robots, "s22: with ships transferred this turn; fire hits these first"),
    Step(firing.fire, "s15: all shots fall at once"),
    Step(movement.move, "s11, s16: ships that fired do not ambush, ships lost do not arrive"),
    Step(landing.land_robots, "s3, s22: special combat comes after movement"),
    Step(landing.settle_migrants, "s9: migrants arrive after the fleets"),
    Step(landing.drop_bombs, "s21: last, so that everything there is destroyed"),
    Step(capture.capture, "s8, s24: by the ships there after all fighting"),
    Step(gifts.plunder, "s19: not of a world lost this turn"),
    Step(capture.capture_by_pirates, "s4C: after the capture of worlds and keys"),
    Step(gifts.give, "s18: after the Pirates, so that a gift counts against them"),
    Step(gifts.recover, "s19: a turn of recovery is over"),
    Step(blackbox.work, "s14: for its holder after all changes, before the points"),
    Step(closing.count_usable, "s9: with the enemies there now"),
)
"""The steps that change worlds and fleets and decide all orders; enough for a forecast."""

PLAYERS: Final = (
    Step(score_turn, "s4, s14: for what players own after all changes"),
    Step(closing.show_worlds, "s12, s27: reports show where everything is now"),
    Step(closing.introduce, "s26: players named in the reports have met"),
    Step(closing.read_back, "s27: the outcomes are known by now"),
    Step(closing.count_turn, "s27: the next orders are for the next turn"),
    Step(end_game, "s30: when the scores are final"),
    Step(tell, "s27: what the reports show is known, and the final score"),
)
"""The steps for the players: points, reports, and the end of the game."""

TURN: Final = (*GALAXY, *PLAYERS)


def phase(state: State) -> Phase:
    """Return the phase. It awaits orders of all seats until the game is over (s28)."""
    awaiting = frozenset[Seat]() if state.finished else frozenset(state.players)
    return Phase("orders", "", awaiting)


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    defaulted: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a turn."""
    return Turn(state, orders, dice, defaulted).run(TURN)
