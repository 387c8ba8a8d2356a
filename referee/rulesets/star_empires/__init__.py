"""Star Empires 5, a game of exploration and conquest on a hexagonal map, as a ruleset."""

from typing import Final

from referee.rules.extras import Extras, Scores
from referee.rules.ruleset import Grammar, Phase
from referee.rulesets.star_empires import (
    administration,
    charting,
    report,
    rulings,
    suggesting,
    turn,
)
from referee.rulesets.star_empires.abandoned import STEWARD, defaults
from referee.rulesets.star_empires.forecast import forecast
from referee.rulesets.star_empires.guide import guide
from referee.rulesets.star_empires.language import FORMS, GRAMMAR, explain, render
from referee.rulesets.star_empires.options import INFO
from referee.rulesets.star_empires.report import contacts, gm_notes, phase
from referee.rulesets.star_empires.robots import robot
from referee.rulesets.star_empires.scenarios import SCENARIOS
from referee.rulesets.star_empires.scoring import scores, standing, verdict
from referee.rulesets.star_empires.setup import setup
from referee.rulesets.star_empires.state import State


class StarEmpires:
    """The Star Empires implementation of the Ruleset interface."""

    info = INFO
    state_type = State
    extras = Extras(
        rulebook="star_empires.md",
        scenarios=SCENARIOS,
        standing=standing,
        truth=charting.truth,
        scores=Scores("RU a turn", scores),
        robot=robot,
        steward=STEWARD,
        tutorial="referee.rulesets.star_empires:tutorial.toml",
        order_forms=FORMS,
    )

    setup = staticmethod(setup)
    phase = staticmethod(phase)
    render = staticmethod(render)
    explain = staticmethod(explain)
    validate = staticmethod(rulings.validate)
    unused = staticmethod(suggesting.unused)
    defaults = staticmethod(defaults)
    resolve = staticmethod(turn.resolve)
    forecast = staticmethod(forecast)
    view = staticmethod(report.view)
    chart = staticmethod(charting.chart)
    template = staticmethod(suggesting.template)
    guide = staticmethod(guide)
    contacts = staticmethod(contacts)
    correct = staticmethod(administration.correct)
    gm_notes = staticmethod(gm_notes)
    verdict = staticmethod(verdict)

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language; Star Empires has one for all turns."""
        del phase
        return GRAMMAR


RULESET: Final = StarEmpires()
