"""The rulesets of ours, imported and checked once."""

from typing import Final

from referee.plugins import installed_rulesets

RULESETS: Final = installed_rulesets()
