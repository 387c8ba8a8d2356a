"""The atlas in a running game: whose turns it has, and where its orders go."""

import base64
import re
from collections.abc import Iterator
from contextlib import closing
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest

from referee.plugins import installed_rulesets
from referee.reports.symbols import PALETTE
from referee.testing.conversation import Conversation
from tests.desk.reception.test_gm_commands import RUNNING
from tests.reports.atlas_pages import data_of, record_texts

FRODO, BILBO = "frodo@shire.example", "bilbo@rivendell.example"
SAM = "sam@shire.example"
MERRY = "merry@buckland.example"
WANTED = """
=== frodo@shire.example replies to T1
SET ATTACHMENTS ATLAS

=== frodo@shire.example gets mail
"""
A_TURN = """
=== 6 days pass
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
=== gm@example.org gets mail
"""
ASKED = """
=== {who} replies
{command}

=== {who} gets mail
"""
CORRECTED = """
=== gm@example.org writes

GM SW-1
CORRECT the home world belongs to Sam
W7 [SAM]
END

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== sam@shire.example gets mail
"""
TAKEN_OVER = """
=== frodo@shire.example replies
RESIGN

=== frodo@shire.example gets mail
=== frodo@shire.example replies
CONFIRM

=== frodo@shire.example gets mail
=== gm@example.org gets mail
=== bilbo@rivendell.example writes

TAKEOVER SW-1

=== bilbo@rivendell.example gets mail
=== bilbo@rivendell.example replies
CONFIRM

=== bilbo@rivendell.example gets mail
=== gm@example.org gets mail
"""


@pytest.fixture
def talk() -> Iterator[Conversation]:
    with closing(Conversation(installed_rulesets())) as found:
        yield found


def letters(talk: Conversation, address: str) -> list[EmailMessage]:
    raw = (each.raw for each in talk.mailed if each.recipient == address)
    return [message_from_bytes(each, policy=policy.default) for each in raw]


def atlas_in(letter: EmailMessage) -> Any:
    """Return the data of the atlas that a letter has, or None."""
    files = [f for f in letter.iter_attachments() if f.get_filename() == "atlas.html"]
    return data_of(str(files[0].get_content()).encode()) if files else None


def last_atlas(talk: Conversation, address: str) -> tuple[EmailMessage, Any]:
    """Return the newest letter with an atlas, and its data."""
    found = [(letter, atlas_in(letter)) for letter in letters(talk, address)]
    letter, data = next(each for each in reversed(found) if each[1] is not None)
    return letter, data


def named(letter: EmailMessage) -> str:
    """Return the address that names a letter of ours and proves nothing."""
    return f"games+{str(letter['Message-ID']).strip('<>')}"


def told(data: Any, key: str) -> dict[int, str]:
    """Return the records of a place by their turns."""
    return {turn: text for _, name, turn, text in record_texts(data) if name == key}


def text_of(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def without_blanks(text: str) -> str:
    return re.sub(r"\s", "", text)


@pytest.mark.slow
def test_a_report_has_an_atlas_of_all_turns_as_report_full_shows_them(talk: Conversation) -> None:
    talk.run(RUNNING + WANTED + A_TURN + A_TURN)
    last, data = last_atlas(talk, FRODO)
    assert [turn["n"] for turn in data["turns"]] == [1, 2, 3]
    assert data["heading"]["orders_to"] == named(last)
    assert data["heading"]["subject"] == "Re: [SW-1 T3 FRODO] orders"
    home = next(p[0] for p in data["places"] if "FRODO" in "".join(told(data, p[0]).values()))
    for number, record in told(data, home).items():
        talk.run(ASKED.format(who=FRODO, command=f"REPORT FULL {number}"))
        report = text_of(letters(talk, FRODO)[-1])
        assert without_blanks(record.partition("\n")[2]) in without_blanks(report)


@pytest.mark.slow
def test_a_seat_has_one_colour_in_the_pictures_of_all_players(talk: Conversation) -> None:
    met = RUNNING.replace("SEATS 2", "SEATS 2 OPTION introduced=yes")
    found = []
    talk.run(met)
    for who in (FRODO, SAM):
        talk.run(ASKED.format(who=who, command="MAP ATLAS\nMAP"))
        data = last_atlas(talk, who)[1]
        found.append(dict(zip(data["owners"], data["colours"], strict=True)))
        files = letters(talk, who)[-1].iter_attachments()
        (picture,) = (f.get_content() for f in files if f.get_filename() == "map.svg")
        assert found[-1][data["owners"][0]] in picture.decode()
    assert found[0] == found[1]
    assert sorted(found[0].values()) == sorted(PALETTE[:2])


@pytest.mark.slow
def test_a_corrected_turn_is_shown_as_corrected(talk: Conversation) -> None:
    talk.run(RUNNING + WANTED)
    talk.run(ASKED.format(who=FRODO, command="MAP ATLAS"))
    before = told(last_atlas(talk, FRODO)[1], "W7")
    talk.run(CORRECTED + A_TURN)
    after = told(last_atlas(talk, FRODO)[1], "W7")
    assert "[FRODO]" in before[1]
    assert "[SAM]" in after[1]


@pytest.mark.slow
def test_a_newcomer_has_the_turns_of_their_seat_and_an_address_of_their_own(
    talk: Conversation,
) -> None:
    talk.run(RUNNING + WANTED + A_TURN)
    before = last_atlas(talk, FRODO)[1]
    talk.run(TAKEN_OVER)
    assert [atlas_in(letter) for letter in letters(talk, BILBO)] == [None] * 3
    talk.run(ASKED.format(who=BILBO, command="MAP ATLAS"))
    last, data = last_atlas(talk, BILBO)
    assert data["turns"] == before["turns"]
    assert data["heading"]["orders_to"] == named(last)
    assert data["heading"]["orders_to"] != before["heading"]["orders_to"]
    assert FRODO not in str(data)


WAITS = """
=== {who} writes unsigned
To: {to}
Subject: Re: [SW-1 T1 FRODO] orders
{line}

=== {who} gets
Subject: confirm: orders
It answers an email of ours, or comes from an atlas
=== {who} replies
YES

=== {who} gets
Subject: 1 order accepted
"""


@pytest.mark.slow
def test_orders_from_an_atlas_are_asked_about_once(talk: Conversation) -> None:
    talk.run(RUNNING + ASKED.format(who=FRODO, command="MAP ATLAS"))
    to = last_atlas(talk, FRODO)[1]["heading"]["orders_to"]
    talk.run(WAITS.format(who=FRODO, to=to, line="ENDING 3000"))


def test_orders_from_an_atlas_count_at_once_with_a_code(talk: Conversation) -> None:
    talk.run(RUNNING + ASKED.format(who=FRODO, command="MAP ATLAS"))
    to = last_atlas(talk, FRODO)[1]["heading"]["orders_to"]
    welcome = text_of(letters(talk, FRODO)[0])
    line = re.search(r"SW-1 \[FRODO\], #\d+, \w+", welcome)
    assert line is not None
    talk.run(
        f"=== {FRODO} writes\nTo: {to}\n\n{line[0]}\nENDING 3000\n\n"
        f"=== {FRODO} gets\nSubject: 1 order accepted\n"
    )


DEPUTY = """
=== frodo@shire.example replies
DEPUTY merry@buckland.example TO 6 September

=== frodo@shire.example gets mail
=== frodo@shire.example replies
CONFIRM

=== merry@buckland.example gets mail
=== frodo@shire.example gets mail
=== merry@buckland.example replies
CONFIRM

=== merry@buckland.example gets mail
=== frodo@shire.example gets mail
=== gm@example.org gets mail
"""


@pytest.mark.slow
def test_a_deputy_is_asked_about_orders_from_their_atlas(talk: Conversation) -> None:
    talk.run(RUNNING + DEPUTY + ASKED.format(who=MERRY, command="MAP ATLAS"))
    to = last_atlas(talk, MERRY)[1]["heading"]["orders_to"]
    told = f"=== {FRODO} gets\nSubject: your deputy has sent a new sheet\n"
    talk.run(WAITS.format(who=MERRY, to=to, line="ENDING 3000") + told)


@pytest.mark.slow
def test_my_data_does_not_show_the_reply_address_in_an_atlas(talk: Conversation) -> None:
    talk.run(RUNNING + WANTED + A_TURN)
    address = last_atlas(talk, FRODO)[1]["heading"]["orders_to"]
    talk.run(ASKED.format(who=FRODO, command="MY DATA"))
    (file,) = letters(talk, FRODO)[-1].iter_attachments()
    content = str(file.get_payload(decode=True))
    token = address.partition("+")[2].partition("@")[0]
    assert token
    assert token not in content
    assert base64.b64encode(token.encode())[4:-4].decode() not in content


@pytest.mark.slow
def test_an_eliminated_seat_has_no_atlas(talk: Conversation) -> None:
    talk.run(RUNNING + WANTED)
    talk.run(
        """
=== gm@example.org writes

GM SW-1
ELIMINATE FRODO

=== gm@example.org gets mail
=== gm@example.org replies
CONFIRM

=== gm@example.org gets mail
=== frodo@shire.example gets mail
=== frodo@shire.example replies
MAP ATLAS

=== frodo@shire.example gets
FRODO is eliminated from SW-1.
"""
    )
    assert [atlas_in(letter) for letter in letters(talk, FRODO)] == [None] * len(
        letters(talk, FRODO)
    )
