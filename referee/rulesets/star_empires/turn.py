"""The sequence of a turn: every step, with the reason for its place."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, RulingKind, Seat
from referee.rules.turns import Step
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.rulings import validate
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.steps import (
    closing,
    combat,
    income,
    logistics,
    maintenance,
    movement,
    news,
    ownership,
    research,
    scanning,
    sharing,
)
from referee.rulesets.star_empires.turn_state import Turn


def _drop_rejected(turn: Turn) -> None:
    """Exclude the rejected orders, with the reason that the player has read."""
    for seat, sheet in turn.sheets.items():
        if seat not in turn.before.empires:
            continue
        rulings = validate(turn.before, seat, [given.order for given in sheet])
        for given, ruling in zip(sheet, rulings, strict=True):
            if ruling.kind is RulingKind.REJECTED:
                given.fail(ruling.reason.rstrip("."))


TURN: Final = (
    Step(_drop_rejected, "an order that was rejected before the deadline does not run"),
    Step(closing.clear_marks, "the report covers only its own turn"),
    Step(closing.rate_dedication, "R6.0: by who sent orders, whatever they were"),
    Step(closing.declare_allies, "R8: abandoned ships do not fire at allies"),
    Step(closing.stabilize_portals, "R6.1.7: a portal can collapse again in the same turn"),
    Step(closing.fluctuate_storms, "R6.1.9: ships meet this turn's storms"),
    Step(logistics.unload_to_use, "R6.2.1: missiles to fire and devices to deploy leave first"),
    Step(logistics.unload, "R6.2.1: this frees the racks"),
    Step(logistics.load, "R6.2.2: into racks that are free now"),
    Step(logistics.unload_missiles, "R6.3.2: racks can be refilled, and both missiles fired"),
    Step(logistics.deploy_devices, "devices act in the turn they are deployed"),
    Step(closing.collapse_portals, "R6.1.8: right after the hammers, before any ship moves"),
    Step(combat.self_destruct, "R6.3.1: a ship that blows itself up does not fire"),
    Step(combat.fire, "R6.3.2: all combat is simultaneous"),
    Step(combat.apply_damage, "R6.3.3, R6.3.4: all damage is simultaneous"),
    Step(scanning.record_last_looks, "R6.3.4: destroyed ships do not see what follows"),
    Step(combat.auto_repair, "R6.3.5: before any ship moves"),
    Step(ownership.determine_owners, "R6.3.6: before reinforcements arrive"),
    Step(movement.transmit, "R6.4.1: the data can be used this turn"),
    Step(movement.move, "R6.4.2: with the engines left after combat"),
    Step(movement.traverse, "R6.4.3: from where the moves ended"),
    Step(movement.acquire_navigation, "R6.4.4: from the portals used"),
    Step(movement.apply_storms, "R6.4.5, R6.4.6: where the moves ended"),
    Step(scanning.record_last_looks, "R6.4.6: destroyed ships do not see what follows"),
    Step(ownership.determine_owners, "R6.4.7: by the ships there now"),
    Step(ownership.relocate_homeworlds, "R6.4.8: a homeworld cannot be interdicted"),
    Step(ownership.establish_prohibitions, "R6.4.9, R6.4.10: before anything is done at worlds"),
    Step(research.salvage, "R6.5.1: a salvaged class can be built this turn"),
    Step(research.create_designs, "R6.5.2: so can a new class"),
    Step(research.give_designs, "R6.5.3: so can a class that was given"),
    Step(maintenance.build, "R6.6.1: with last turn's RU"),
    Step(maintenance.repair_cargo, "R6.6.2: cargo of an orbital is repaired for nothing"),
    Step(maintenance.repair, "R6.6.2: with the RU left after building"),
    Step(maintenance.toggle, "R6.6.3: only a private transponder can be set"),
    Step(maintenance.conceal, "R6.6.4: before identifying"),
    Step(maintenance.identify, "R6.6.5"),
    Step(income.produce, "R6.7.1: new RU can be pooled"),
    Step(income.pool, "R6.7.2: pooled RU can be sent"),
    Step(income.transfer, "R6.7.3"),
    Step(income.write_ledgers, "after all RU have been moved"),
    Step(sharing.deny, "R6.8.1: denied scans can be authorized again"),
    Step(sharing.authorize, "R6.8.2"),
    Step(closing.count_turn, "the scans that follow are for the next turn's report"),
    Step(scanning.scan, "R6.8.3 to R6.8.5: where everything is now"),
    Step(closing.report_discoveries, "R6.8.5: everything found this turn"),
    Step(news.tell, "R3.0: when it is known what the reports show"),
)


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    defaulted: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a turn."""
    return Turn(state, orders, dice, defaulted).run(TURN)
