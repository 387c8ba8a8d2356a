"""The ruleset of The Singularity Trap, a war of up to six players on a board with levels."""

from typing import Final

from referee.rules.extras import Extras, Scores
from referee.rules.ruleset import Grammar, Phase
from referee.rulesets.singularity import charting, report, rulings, sections, sheet, turn
from referee.rulesets.singularity.guide import guide
from referee.rulesets.singularity.language import FORMS, GRAMMAR, explain, render
from referee.rulesets.singularity.notation import NOTATION
from referee.rulesets.singularity.options import INFO
from referee.rulesets.singularity.robots import robot
from referee.rulesets.singularity.scenarios import SCENARIOS
from referee.rulesets.singularity.sections import defaults
from referee.rulesets.singularity.setup import setup
from referee.rulesets.singularity.state import State


class Singularity:
    """The functions of the game, under the names of the ruleset interface."""

    info = INFO
    state_type = State
    extras = Extras(
        rulebook="singularity.md",
        scenarios=SCENARIOS,
        standing=report.standing,
        truth=charting.truth,
        public=charting.public,
        scores=Scores("planets", report.scores),
        colours=charting.colours,
        robot=robot,
        tutorial="referee.rulesets.singularity:tutorial.toml",
        # Ships have the numbers of their players.
        in_turn=True,
        order_forms=FORMS,
    )

    setup = staticmethod(setup)
    phase = staticmethod(sections.phase)
    render = staticmethod(render)
    explain = staticmethod(explain)
    validate = staticmethod(rulings.validate)
    unused = staticmethod(rulings.unused)
    defaults = staticmethod(defaults)
    resolve = staticmethod(turn.resolve)
    forecast = staticmethod(sheet.forecast)
    view = staticmethod(report.view)
    chart = staticmethod(charting.chart)
    template = staticmethod(sheet.template)
    guide = staticmethod(guide)
    contacts = staticmethod(report.contacts)
    correct = staticmethod(NOTATION.correct)
    gm_notes = staticmethod(report.gm_notes)
    verdict = staticmethod(report.verdict)

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language, which is the same in all sections."""
        del phase
        return GRAMMAR


RULESET: Final = Singularity()
