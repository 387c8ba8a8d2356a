"""The ruleset of Starfarers, a game of exploration, trade and battle in many galaxies."""

from typing import Final

from referee.rules.extras import Extras, Scores
from referee.rules.ruleset import Grammar, Phase
from referee.rulesets.starfarers import charting, planning, report, rulings, turn
from referee.rulesets.starfarers.guide import guide
from referee.rulesets.starfarers.language import GRAMMAR, explain
from referee.rulesets.starfarers.notation import NOTATION, SCENARIOS
from referee.rulesets.starfarers.options import INFO
from referee.rulesets.starfarers.orders import ORDERS
from referee.rulesets.starfarers.robots import robot
from referee.rulesets.starfarers.setup import setup
from referee.rulesets.starfarers.state import State


class Starfarers:
    """The functions of the game, under the names of the ruleset interface."""

    info = INFO
    state_type = State
    extras = Extras(
        rulebook="starfarers.md",
        scenarios=SCENARIOS,
        standing=report.standing,
        truth=charting.truth,
        public=charting.public,
        scores=Scores("bases", report.scores),
        colours=charting.colours,
        robot=robot,
        tutorial="referee.rulesets.starfarers:tutorial.toml",
        in_turn=True,
        order_forms=ORDERS.forms,
    )

    setup = staticmethod(setup)
    phase = staticmethod(turn.phase)
    render = staticmethod(ORDERS.render)
    explain = staticmethod(explain)
    validate = staticmethod(rulings.validate)
    unused = staticmethod(rulings.unused)
    defaults = staticmethod(rulings.defaults)
    resolve = staticmethod(turn.resolve)
    forecast = staticmethod(planning.forecast)
    view = staticmethod(report.view)
    chart = staticmethod(charting.chart)
    template = staticmethod(planning.template)
    guide = staticmethod(guide)
    contacts = staticmethod(report.contacts)
    correct = staticmethod(NOTATION.correct)
    gm_notes = staticmethod(report.gm_notes)
    verdict = staticmethod(report.verdict)

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language, which is the same in all parts of a round."""
        del phase
        return GRAMMAR


RULESET: Final = Starfarers()
