"""StarWeb as text: printouts, corrections and test cases."""

from referee.rulesets.starweb.text.fields import FLEET_FORMS, WORLD_FORMS, shown
from referee.rulesets.starweb.text.patch import correct
from referee.rulesets.starweb.text.printout import (
    Acquaintance,
    FleetRecord,
    Holdings,
    OrderEcho,
    Printout,
    Relation,
    Sign,
    WorldRecord,
)
from referee.rulesets.starweb.text.scenarios import SCENARIOS
from referee.rulesets.starweb.text.snapshot import (
    bare_record,
    fleet_record,
    fleets_at,
    fleets_by_world,
    name_of,
    world_record,
)
from referee.rulesets.starweb.text.writer import (
    WIDTH,
    broken,
    enclosed,
    fleet_lines,
    render_printout,
)

__all__ = [
    "FLEET_FORMS",
    "SCENARIOS",
    "WIDTH",
    "WORLD_FORMS",
    "Acquaintance",
    "FleetRecord",
    "Holdings",
    "OrderEcho",
    "Printout",
    "Relation",
    "Sign",
    "WorldRecord",
    "bare_record",
    "broken",
    "correct",
    "enclosed",
    "fleet_lines",
    "fleet_record",
    "fleets_at",
    "fleets_by_world",
    "name_of",
    "render_printout",
    "shown",
    "world_record",
]
