"""The sequence of a turn: every step, and the reason for its place."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.dice import Dice
from referee.rules.ruleset import Resolution, Seat
from referee.rules.turns import Step
from referee.rulesets.star_empires.orders import Order
from referee.rulesets.star_empires.state import State
from referee.rulesets.star_empires.steps import (
    astronomics,
    closing,
    combat,
    income,
    logistics,
    maintenance,
    movement,
    ownership,
    research,
    scanning,
    sharing,
    sheets,
)
from referee.rulesets.star_empires.turn_state import Turn

TURN: Final = (
    Step(sheets.refuse, "an order that was refused before the deadline does not run"),
    Step(closing.wipe_marks, "the report tells of its own turn alone"),
    Step(closing.rate_dedication, "R6.0: by who sent orders, whatever they are"),
    Step(closing.declare_allies, "R8: abandoned ships do not fire at allies"),
    Step(astronomics.stabilize_portals, "R6.1.7: a portal may collapse again in this very turn"),
    Step(astronomics.fluctuate_storms, "R6.1.9: the storms that ships meet are this turn's"),
    Step(logistics.unload_to_use, "R6.2.1: fired missiles and deployed devices come off first"),
    Step(logistics.unload, "R6.2.1: which frees the racks"),
    Step(logistics.load, "R6.2.2: into racks that are free by now"),
    Step(logistics.unload_missiles, "R6.3.2: racks may be filled anew and both missiles fired"),
    Step(logistics.deploy_devices, "devices act in the turn they are deployed"),
    Step(astronomics.collapse_portals, "R6.1.8: right after the hammers, before anybody travels"),
    Step(combat.self_destruct, "R6.3.1: who blows himself up fires no gun"),
    Step(combat.fire, "R6.3.2: all combat is simultaneous"),
    Step(combat.apply_damage, "R6.3.3, R6.3.4: all damage falls at once"),
    Step(scanning.look_last, "R6.3.4: destroyed ships see nothing of what follows"),
    Step(combat.auto_repair, "R6.3.5: before anybody moves"),
    Step(ownership.own_after_combat, "R6.3.6: before reinforcements arrive"),
    Step(movement.transmit, "R6.4.1: the data serves in this turn"),
    Step(movement.move, "R6.4.2: with the engines that combat left"),
    Step(movement.traverse, "R6.4.3: from where the move ended"),
    Step(movement.acquire_navigation, "R6.4.4: from the portals gone through"),
    Step(movement.weather_storms, "R6.4.5, R6.4.6: where movement ended"),
    Step(scanning.look_last, "R6.4.6: destroyed ships see nothing of what follows"),
    Step(ownership.own_after_movement, "R6.4.7: with who is there now"),
    Step(ownership.relocate_homeworlds, "R6.4.8: a homeworld cannot be interdicted"),
    Step(ownership.establish_prohibitions, "R6.4.9, R6.4.10: for all that is done at worlds"),
    Step(research.salvage, "R6.5.1: a salvaged class can be built this turn"),
    Step(research.create_designs, "R6.5.2: so can a new one"),
    Step(research.give_designs, "R6.5.3: and one that was given"),
    Step(maintenance.build, "R6.6.1: with last turn's RU"),
    Step(maintenance.repair_cargo, "R6.6.2: what an orbital carries costs nothing"),
    Step(maintenance.repair, "R6.6.2: with what building left"),
    Step(maintenance.toggle, "R6.6.3: only a private transponder can be set"),
    Step(maintenance.conceal, "R6.6.4: before identifying"),
    Step(maintenance.identify, "R6.6.5"),
    Step(income.produce, "R6.7.1: what is produced can be pooled"),
    Step(income.pool, "R6.7.2: and then be sent"),
    Step(income.transfer, "R6.7.3"),
    Step(income.write_ledgers, "when all RU are where they will be"),
    Step(sharing.deny, "R6.8.1: what is denied may be authorized again"),
    Step(sharing.authorize, "R6.8.2"),
    Step(closing.count_turn, "what is seen now is the next turn's report"),
    Step(scanning.scan, "R6.8.3 to R6.8.5: where everything is now"),
    Step(closing.tell_discoveries, "R6.8.5: with what was found in this turn"),
)


def resolve(
    state: State,
    orders: Mapping[Seat, Sequence[Order]],
    missed: frozenset[Seat],
    dice: Dice,
) -> Resolution[State, Order]:
    """Resolve a turn."""
    return Turn(state, orders, dice, missed).run(TURN)
