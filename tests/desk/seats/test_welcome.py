"""The welcome of each game is short enough to be read on a phone."""

from contextlib import closing

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

RULESETS = installed_rulesets()


@pytest.mark.sampled
@pytest.mark.parametrize("key", sorted(RULESETS))
def test_a_welcome_has_at_most_32_lines(key: str) -> None:
    info = RULESETS[key].info
    names = " OR ".join(info.names.stock[:3])
    wishes = f" AS {' OR '.join(info.choices[0].choices[:2])}" if info.choices else ""
    full = "=== gm@example.org gets mail\n" if info.most_seats == 2 else ""
    with closing(Conversation(RULESETS)) as talk:
        talk.run(f"""=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes
CREATE {key.replace("_", " ")} SEATS {info.most_seats} DEADLINE "weekdays 20:00 Europe/Berlin"
OPTION start=gm
=== gm@example.org gets
Subject: your game is open
=== frodo@shire.example writes
JOIN {info.prefix}-1 {info.names.stock[0]}
=== frodo@shire.example gets
Subject: welcome
=== sam@shire.example writes
JOIN {info.prefix}-1 {names}{wishes} ZONE America/Phoenix
=== sam@shire.example gets
Subject: welcome
{full}""")
        texts = [
            letter.text
            for who in ("frodo", "sam")
            for letter in talk.person(f"{who}@shire.example").got
        ]
        assert [text for text in texts if len(text.splitlines()) > 32] == []
