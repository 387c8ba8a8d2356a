"""An unsigned message reveals neither its sender nor, within 15 minutes, when it was written."""

import re

import pytest

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAME = """
=== gm@example.org writes

CREATE STARWEB SEATS 3 DEADLINE "5 days" OPTION introduced=yes

=== gm@example.org gets mail
=== gm@example.org writes

GM SW-1
OPTION PRESS AT ONCE

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example writes

JOIN SW-1 FRODO AS Empire Builder

=== frodo@shire.example gets mail
=== sam@shire.example writes

JOIN SW-1 SAM AS Empire Builder

=== sam@shire.example gets mail
=== merry@shire.example writes

JOIN SW-1 MERRY AS Pirate

=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== merry@shire.example gets mail
=== gm@example.org gets mail
"""
WARNING = """PRESS ANONYMOUS TO SAM
Beware of the third of us.
END
"""
FAREWELL = """PRESS ANONYMOUS TO SAM
This is my last word.
END
"""
BY_FRODO = f"""
=== frodo@shire.example replies
{WARNING}{FAREWELL}
=== frodo@shire.example gets mail
"""
BY_MERRY = f"""
=== 3 minutes pass
=== merry@shire.example writes
Subject: a much longer subject, and another program, about nothing

STATUS

=== merry@shire.example gets mail
=== merry@shire.example replies to first report
{FAREWELL}
=== merry@shire.example gets mail
=== 1 minute passes
=== merry@shire.example replies quoting to first report
STATUS
{WARNING}
=== merry@shire.example gets mail
"""


def mailed_to_sam(*statements: str) -> list[bytes]:
    """Return the letters to SAM up to half past twelve, byte by byte."""
    conversation = Conversation(installed_rulesets())
    conversation.run("".join((GAME, *statements)))
    before = len(conversation.mailed)
    conversation.run("\n=== it is 2026-09-01 12:31 UTC\n=== sam@shire.example gets mail")
    found = [letter for letter in conversation.mailed[before:] if "sam@" in letter.recipient]
    conversation.close()
    return [letter.raw + letter.sender.encode() for letter in found]


@pytest.mark.slow
def test_an_unsigned_message_depends_only_on_its_words_and_readers() -> None:
    letters = mailed_to_sam(BY_FRODO)
    assert len(letters) == 2
    assert letters == mailed_to_sam(BY_MERRY)
    unstyled = re.sub(rb"(?s)<style>.*</style>", b"", letters[0].replace(b"=\r\n", b""))
    assert unstyled != letters[0]
    assert re.search(rb"#\d", unstyled) is None


@pytest.mark.slow
@pytest.mark.parametrize("word", ["FRODO", "MERRY", "shire.example>\r\nIn-Reply-To"])
def test_an_unsigned_message_does_not_name_its_sender(word: str) -> None:
    assert all(word.encode() not in letter for letter in mailed_to_sam(BY_FRODO))


def test_the_same_words_of_two_writers_both_go_out() -> None:
    assert len(set(mailed_to_sam(BY_FRODO, BY_MERRY))) == 4
