"""A Fistful of Planets, a game for two with dice and fog, as a ruleset."""

from typing import Final

from referee.rules.extras import Extras, Scores
from referee.rules.ruleset import Grammar, Phase
from referee.rulesets.fistful import charting, report, rulings, turn
from referee.rulesets.fistful.guide import guide
from referee.rulesets.fistful.language import FORMS, GRAMMAR, explain, render
from referee.rulesets.fistful.notation import NOTATION
from referee.rulesets.fistful.options import INFO
from referee.rulesets.fistful.robots import robot
from referee.rulesets.fistful.scenarios import SCENARIOS
from referee.rulesets.fistful.setup import setup
from referee.rulesets.fistful.state import State
from referee.rulesets.fistful.turn import defaults


class Fistful:
    """The implementation of the Ruleset interface for A Fistful of Planets."""

    info = INFO
    state_type = State
    extras = Extras(
        rulebook="fistful.md",
        scenarios=SCENARIOS,
        standing=report.standing,
        truth=charting.truth,
        public=charting.public,
        scores=Scores("colonies", report.scores),
        robot=robot,
        tutorial="referee.rulesets.fistful:tutorial.toml",
        order_forms=FORMS,
    )

    setup = staticmethod(setup)
    phase = staticmethod(report.phase)
    render = staticmethod(render)
    explain = staticmethod(explain)
    validate = staticmethod(rulings.validate)
    unused = staticmethod(rulings.unused)
    defaults = staticmethod(defaults)
    resolve = staticmethod(turn.resolve)
    forecast = staticmethod(report.forecast)
    view = staticmethod(report.view)
    chart = staticmethod(charting.chart)
    template = staticmethod(report.template)
    guide = staticmethod(guide)
    contacts = staticmethod(report.contacts)
    correct = staticmethod(NOTATION.correct)
    gm_notes = staticmethod(report.gm_notes)
    verdict = staticmethod(report.verdict)

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language, the same in both phases."""
        del phase
        return GRAMMAR


RULESET: Final = Fistful()
