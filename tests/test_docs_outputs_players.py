"""The examples in the guide for players: each is sent, and its answer is the one on the page."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from email.parser import BytesParser
from email.policy import SMTP
from io import BytesIO
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.desk.base.rulebooks import WIDTH, plain, players_guide
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation
from referee.testing.correspondents import Received
from tests.support.pages import blocks, code, read_page, section

pytestmark = pytest.mark.slow

PAGE: Final = read_page("docs/players.md")
SHEET: Final = re.compile(r"^YOUR SHEET FOR TURN .*?^  # End of orders \(\w+\)$", re.M | re.S)
SEAL: Final = re.compile(r"\([a-z]{8}\)")
GM: Final = "gm@example.org"
FRODO: Final = "frodo@example.org"
HATYSA: Final = "merry@example.org"
MARS: Final = "eve@example.org"


def flat(text: str) -> str:
    return " ".join(text.split())


def phrases(pattern: str) -> list[str]:
    """Return the phrases that are marked as code in the only part of the page with a pattern.

    Each line break of the page is a blank.
    """
    (found,) = re.findall(pattern, flat(PAGE))
    return code(found)


JOIN: Final = blocks(section(PAGE, "Joining a game"))[0]
ORDERS: Final = blocks(section(PAGE, "Orders: how to send them"))[0]
STARTED: Final = f"""
=== it is 2026-09-01 16:00 UTC
=== gm@example.org writes

CREATE STARWEB SEATS 3 DEADLINE "3 days" OPTION introduced=yes

=== gm@example.org gets mail
=== {FRODO} writes

{JOIN}

=== {FRODO} gets mail
=== {HATYSA} writes

JOIN SW-1 HATYSA AS Pirate

=== {HATYSA} gets mail
=== {MARS} writes

JOIN SW-1 MARS AS Merchant

=== {MARS} gets mail
=== {FRODO} gets mail
=== {HATYSA} gets mail
=== gm@example.org gets mail
"""
RESOLVED: Final = f"""
=== 3 days pass
=== {FRODO} gets mail
=== {HATYSA} gets mail
=== {MARS} gets mail
"""


@pytest.fixture
def game() -> Iterator[Conversation]:
    """Yield a referee with the game of the page on turn 1, in which CERES has sent nothing."""
    with closing(Conversation(installed_rulesets())) as running:
        running.run(STARTED)
        yield running


@pytest.fixture(scope="module")
def played() -> Iterator[Conversation]:
    """Yield the same game for tests that do not depend on what others have sent."""
    with closing(Conversation(installed_rulesets())) as running:
        running.run(STARTED)
        yield running


@pytest.fixture
def site() -> Iterator[Conversation]:
    """Yield a referee without games."""
    with closing(Conversation(installed_rulesets())) as running:
        yield running


def answered(running: Conversation, sender: str, statement: str, *others: str) -> str:
    """Return the answer to an email, with its subject; *others* get emails, too."""
    read = "\n".join(f"=== {each} gets mail" for each in (sender, *others))
    running.run(f"=== {sender} {statement}\n{read}")
    return running.person(sender).got[-1].shown


def reply(running: Conversation, body: str, *others: str, sender: str = FRODO) -> str:
    return answered(running, sender, f"replies\n{body}", *others)


def write(running: Conversation, body: str, sender: str = FRODO) -> str:
    return answered(running, sender, f"writes\n\n{body}")


def sheet(answer: str) -> str:
    """Return the sheet of an answer, with the eight letters of the page."""
    (found,) = SHEET.findall(answer)
    return f"{SEAL.sub('(kmtwqzrb)', found)}\n"


def orders_on(answer: str) -> list[str]:
    """Return the orders on the sheet of an answer."""
    _, *lines, _ = sheet(answer).splitlines()
    return " ".join(lines).split()


def files_of(letters: Sequence[Received]) -> dict[str, bytes]:
    """Return the files that are attached to letters, by their names."""
    parsed = (BytesParser(policy=SMTP).parsebytes(letter.raw) for letter in letters)
    return {
        part.get_filename(""): part.get_content()
        for each in parsed
        for part in each.iter_attachments()
    }


def test_join_gives_a_seat_and_the_line_that_proves_a_new_email(played: Conversation) -> None:
    (heading,) = blocks(section(PAGE, "Trust: which emails we accept as yours"))
    welcome = played.person(FRODO).got[0].shown
    assert "welcome, you play CERES" in welcome
    assert "character: Empire Builder" in welcome
    assert "Times are in Europe/Berlin" in welcome
    assert f"\n    {heading}" in welcome
    answer = answered(played, FRODO, f"writes unsigned\n\n{heading}{ORDERS}")
    assert "2 orders accepted" in answer


def test_a_private_game_is_joined_with_its_code(site: Conversation) -> None:
    _, join = phrases(r"A private game (.*?) ## ")
    created = write(site, 'CREATE STARWEB SEATS 2 DEADLINE "3 days" OPTION private=yes', sender=GM)
    (code,) = set(re.findall(r"CODE ([A-Z0-9]{8})", created))
    assert "SW-1" not in write(site, "LIST")
    assert "welcome, you play CERES" in write(site, join.replace("K7QX2M4A", code))


def test_play_starts_a_game_against_robots(site: Conversation) -> None:
    (play,) = blocks(section(PAGE, "Play against robots"))
    site.run("=== it is 2026-09-01 16:00 UTC")
    assert "orders due Fri 4 Sep 16:00 UTC" in write(site, play)
    assert "character: Pirate" in site.person(FRODO).got[0].text
    assert "5 seats are played by robots" in reply(site, "STATUS")


def test_the_answer_to_orders_has_its_parts_in_sequence(played: Conversation) -> None:
    answer = reply(played, f"{ORDERS}W12B5I\nF2W99")
    parts = ("REJECTED", "WARNINGS", "ACCEPTED", "UNUSED", "FORECAST")
    assert re.findall(rf"^({'|'.join(parts)})\b", answer, re.MULTILINE) == [*parts]


def test_the_sheet_on_the_page_is_that_of_an_answer_and_can_be_edited(played: Conversation) -> None:
    (quoted,) = blocks(section(PAGE, "Editing the sheet in your reply"))
    assert sheet(reply(played, ORDERS)) == quoted.replace("> ", "")
    edited = quoted.replace("kmtwqzrb", "SEAL").replace(" F2W16", "")
    assert orders_on(reply(played, edited)) == ["W12B10F2"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (">   # End of orders (kmtwqzrb)\n", "", "it is not complete up to its last line"),
        (" (kmtwqzrb)", "", "was not read, because it is in a quote"),
        ("> YOUR", "W12B5I\n> YOUR", "you also typed orders outside it"),
    ],
)
def test_an_edited_sheet_is_ignored_if_it_is_unsafe(
    played: Conversation, old: str, new: str, said: str
) -> None:
    (quoted,) = blocks(section(PAGE, "Editing the sheet in your reply"))
    reply(played, ORDERS)
    edited = quoted.replace("F2W16", "W12B1F13").replace(old, new).replace("kmtwqzrb", "SEAL")
    assert said in flat(reply(played, edited))
    assert "W12B1F13" not in reply(played, "ORDERS")


def test_the_commands_of_an_email_are_done_and_taken_back(game: Conversation) -> None:
    (several,) = blocks(section(PAGE, "Several commands in one email"))
    (back,) = blocks(section(PAGE, "Taking an email back"))
    reply(game, ORDERS)
    answer = reply(game, several)
    assert "(#2)" in answer
    assert orders_on(answer) == ["W12B10F2", "W12B5I"]
    assert "Line 3: ORDERS\n    Turn 1, deadline" in answer
    assert "You have sent FINAL" in answer
    answer = reply(game, back)
    assert orders_on(answer) == [*ORDERS.split(), "W12B1F13"]
    assert "you have not sent FINAL" in flat(answer)
    assert orders_on(reply(game, "UNDO")) == ORDERS.split()


def test_labels_and_comments_leave_an_order_an_order(played: Conversation) -> None:
    written, *_ = blocks(section(PAGE, "How your email is read"))
    lines = written.splitlines()
    answer = reply(played, f"W12B10F2\n{written}")
    assert orders_on(answer) == ["W12B10F2", *["F2W16"] * (len(lines) - 1)]
    assert "WORDS (2)\n  Line 5: // then F9W30\n    To order it, send: ADD F9W30\n" in answer
    assert f"\n  Line {len(lines) + 1}: {lines[-1]}" in answer


def test_mistakes_and_words_are_those_of_the_page(played: Conversation) -> None:
    mistakes = phrases(r"(`F2W16 UNDO`.*?) are mistakes;")
    words = phrases(r"are mistakes; (.*?) are words\.")
    assert (len(mistakes), len(words)) == (2, 3)
    reply(played, "CLEAR")
    answer = reply(played, "\n".join(("ADD", *mistakes, *words)))
    to_send = "    To order it, send: ADD F2W16"
    quoted = [f"  Line {number}: {line}\n{to_send}" for number, line in enumerate(words, 4)]
    assert "\n".join(("WORDS (3)", *quoted)) in answer
    assert orders_on(answer) == ["W12B2I"]


def test_a_line_of_codes_is_read_but_for_its_mistakes(played: Conversation) -> None:
    (codes,) = phrases(r"only codes, such as (.*?), its other orders are read")
    assert orders_on(reply(played, codes)) == ["F2W16", "W12B2I"]


def test_two_orders_for_a_unit_in_a_line_are_a_question(played: Conversation) -> None:
    (line,) = phrases(r"such as (`F2W16 \(.*?`), is a question")
    reply(played, "CLEAR")
    answer = flat(reply(played, f"W12B1I\n{line}"))
    assert "F2W16 or F2W30? The line has both, so neither is filed." in answer
    assert orders_on(played.person(FRODO).got[-1].shown) == ["W12B1I"]


def test_an_email_in_doubt_leaves_the_sheet_and_asks(played: Conversation) -> None:
    (denied,) = phrases(r"denies or asks \((`.*?`)\)")
    reply(played, ORDERS)
    assert "not filed: orders; reply YES or ADD" in reply(played, f"{denied}\nW12B5I")
    assert all(each in reply(played, "ORDERS") for each in ORDERS.split())
    assert orders_on(reply(played, f"CLEAR\n{denied}\nW12B5I")) == ["W12B5I"]


@pytest.mark.slow
def test_a_message_is_delivered_as_on_the_page(game: Conversation) -> None:
    sent, delivered = blocks(section(PAGE, "Messages to other players"))
    reply(game, sent)
    game.run(RESOLVED)
    for each in (HATYSA, MARS):
        assert [letter for letter in game.person(each).got if delivered in letter.text]


def test_the_diary_is_kept_and_mailed(played: Conversation) -> None:
    (entry,) = blocks(section(PAGE, "Diary: notes for yourself"))
    assert "as entry 1" in reply(played, entry)
    assert entry.splitlines()[1] in reply(played, "DIARY")


def test_the_settings_of_the_page_are_shown_and_can_be_sent_back(played: Conversation) -> None:
    (lines,) = blocks(section(PAGE, "Settings: how we write to you"))
    for command in ("SET", "STATUS"):
        shown = re.findall(r"^    (SET .*\n)", reply(played, command), re.MULTILINE)
        assert "".join(shown) == lines
    assert "Subject: Re: [SW-1 T1 CERES] done: SET" in reply(played, lines)


def test_an_absence_is_announced(played: Conversation) -> None:
    (absent,) = blocks(section(PAGE, "Absence: days on which you are away"))
    answer = flat(reply(played, absent, GM))
    assert "You are away from Fri 18 Sep 2026 to Fri 2 Oct 2026. No deadline moves." in answer
    assert "The GM is notified, the other players are not." in answer
    assert "is cancelled" in flat(reply(played, "ABSENT NONE", GM))


def test_a_deputy_is_asked_after_a_confirmation(played: Conversation) -> None:
    (deputy,) = blocks(section(PAGE, "Deputy: someone who orders for you"))
    answers = []
    # The answer must not reveal that a player has the second address.
    for address, asked in (("sam@example.org", ["sam@example.org"]), (MARS, [])):
        assert "confirm: DEPUTY" in reply(played, deputy.replace("sam@example.org", address))
        answers.append(reply(played, "CONFIRM", *asked).replace(address, "sam@example.org"))
        reply(played, "DEPUTY NONE")
    assert "You named sam@example.org as your deputy" in flat(answers[0])
    assert answers[0] == answers[1]


def test_a_standby_is_one_after_a_confirmation(played: Conversation) -> None:
    (standby,) = blocks(section(PAGE, "Vacancies: seats that change hands"))
    assert "confirm: STANDBY" in write(played, standby, sender="sam@example.org")
    assert "You are a standby for SW-1" in flat(reply(played, "CONFIRM", sender="sam@example.org"))


def test_maps_have_the_names_of_the_page(played: Conversation) -> None:
    reply(played, "MAP")
    assert played.person(FRODO).got[-1].files == ("map.svg", "map.png")
    reply(played, "MAP ATLAS")
    assert played.person(FRODO).got[-1].files == ("atlas.html",)


@pytest.mark.slow
def test_the_game_is_a_book_and_a_record_to_replay(game: Conversation, tmp_path: Path) -> None:
    (digest,) = re.findall(r"^([0-9a-f]{64})$", game.person(FRODO).got[-1].text, re.MULTILINE)
    reply(game, ORDERS)
    game.run(RESOLVED)
    reply(game, "END GAME", sender=GM)
    reply(game, "CONFIRM", FRODO, HATYSA, MARS, sender=GM)
    files = files_of(game.person(FRODO).got)
    (command,) = phrases(r"Run (`referee replay .*? SHA256`)")
    (printed,) = phrases(r"It prints (`.*?`), or what differs")
    _, replay, record, *option = command.replace("SHA256", digest).split()
    (tmp_path / record).write_bytes(files[record])
    shown = CliRunner().invoke(main, [replay, str(tmp_path / record), *option])
    assert shown.output == (
        "SW-1: its rules did not end it after turn 1; the GM or a vote did\n"
        f"SW-1: 1 turn resolved again, {printed}\nSW-1: its dice are those of the first report\n"
    )
    (own,) = phrases(r"Add (`--seat MARS`)")
    compared = CliRunner().invoke(main, [replay, str(tmp_path / record), *own.split()])
    assert "=== Turn 1: orders on file" in compared.output
    assert "=== Turn 2: report" in compared.output
    (book,) = (content for name, content in files.items() if name.endswith(".zip"))
    with ZipFile(BytesIO(book)) as unpacked:
        assert "index.html" in [Path(name).name for name in unpacked.namelist()]


def test_each_chapter_can_be_mailed() -> None:
    mailed = [line for each in players_guide().chapters for line in plain(each.text).splitlines()]
    wide = [line for line in mailed if len(line) > WIDTH]
    # A link that was not removed, and a column with room for a few letters only.
    odd = [line for line in mailed if "](" in line or line.startswith(" " * (WIDTH // 2))]
    assert (wide, odd) == ([], [])
