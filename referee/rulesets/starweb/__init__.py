"""StarWeb, a game of diplomacy and conquest between six types of beings, as a ruleset."""

from typing import Final

from referee.rules.extras import Extras, Scores
from referee.rules.ruleset import Grammar, Phase
from referee.rulesets.starweb import charting, foresight, report, rulings, turn
from referee.rulesets.starweb.guide import guide
from referee.rulesets.starweb.language import GRAMMAR, explain
from referee.rulesets.starweb.options import INFO
from referee.rulesets.starweb.orders import ORDERS
from referee.rulesets.starweb.robots import robot
from referee.rulesets.starweb.scoring import scores, standing, verdict
from referee.rulesets.starweb.setup import setup
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.text import SCENARIOS, correct


class StarWeb:
    """The functions of StarWeb under the names that the referee calls them by."""

    info = INFO
    state_type = State
    extras = Extras(
        "starweb.md",
        scenarios=SCENARIOS,
        standing=standing,
        truth=charting.truth,
        scores=Scores("points", scores),
        robot=robot,
        tutorial="referee.rulesets.starweb:tutorial.toml",
        order_forms=ORDERS.forms,
    )

    setup = staticmethod(setup)
    phase = staticmethod(turn.phase)
    render = staticmethod(ORDERS.render)
    explain = staticmethod(explain)
    validate = staticmethod(rulings.validate)
    unused = staticmethod(foresight.unused)
    defaults = staticmethod(rulings.defaults)
    resolve = staticmethod(turn.resolve)
    forecast = staticmethod(foresight.forecast)
    view = staticmethod(report.view)
    chart = staticmethod(charting.chart)
    template = staticmethod(report.template)
    guide = staticmethod(guide)
    contacts = staticmethod(report.contacts)
    correct = staticmethod(correct)
    gm_notes = staticmethod(report.gm_notes)
    verdict = staticmethod(verdict)

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language; StarWeb has one for all turns (s28)."""
        del phase
        return GRAMMAR


RULESET: Final = StarWeb()
