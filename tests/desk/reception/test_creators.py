"""CREATE where the settings let anybody create games: strangers get advice without an echo."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from referee.app import App
from referee.plugins import installed_rulesets
from referee.rules.ruleset import Ruleset
from referee.testing.conversation import Conversation


class _OpenToAnybody(Conversation):
    """A conversation with a referee at which anybody can create games."""

    def _app(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> App:
        app = super()._app(rulesets)
        return replace(app, site=replace(app.site, creators=None))


@pytest.mark.parametrize(
    ("typed", "answered"),
    [
        ('CREATE STARWEB SEATS 2 DEADLINE "every friday"', "At what time? ... ... 18:00"),
        ("CREATE STARWEB SEATS three", "How many? For example, SEATS 3."),
        ("CREATE STARWEB SEATS 3", "When are turns due?"),
        ('CREAT STARWEB SEATS 3 DEADLINE "buy gold"', "Unknown word ... Did you mean CREATE"),
        ('CREATE STARWEB SEATS 2 DEADLINE "daily 20:00 UTC" gold', "Unexpected text after CREATE"),
    ],
)
def test_a_stranger_reads_what_is_wrong_without_their_own_words(typed: str, answered: str) -> None:
    with closing(_OpenToAnybody(installed_rulesets())) as conversation:
        conversation.run(
            f"=== saruman@isengard.example writes\n\n{typed}\n\n"
            f"=== saruman@isengard.example gets\nNOT DONE (1)\n{answered}\n! gold\n! three\n"
        )
