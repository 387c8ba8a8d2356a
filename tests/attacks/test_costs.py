"""A letter can cost the referee only so much, whoever sends it."""

import random
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from types import FrameType
from typing import Any, Final

import pytest
from sqlalchemy import insert, inspect

from referee.desk.base import ledger
from referee.desk.base.desk import Desk, Site
from referee.desk.games import export
from referee.domain.commands import Status
from referee.domain.effort import MOST_ADVISED
from referee.domain.mail_transfer import Line
from referee.domain.shares import SHARES, Charge, Key, Thing
from referee.letters.incoming.decode import decode
from referee.letters.incoming.html_text import text_of_markup
from referee.parsing.body import MOST_COMMANDS, read_body
from referee.parsing.items import Unparsed
from referee.rules.ruleset import Ruleset
from referee.store.games import games
from referee.store.letter_states import InboxState
from referee.store.mail import inbox
from referee.store.models import InboxLetter
from referee.testing.conversation import OPERATOR
from tests.attacks.siege import FRODO, GM, MALLORY, SAM, Siege
from tests.attacks.test_patterns import growth

COSTLY = "WAIT\nWHO\nORDERS\nWAIT\nSTATUS\nHISTORY\n"
"""Commands between which the cost of their letter is checked."""


def newest(siege: Siege) -> InboxState:
    with siege.store.read() as session:
        return inbox.listing(session, None, 1)[0].state


def words(text: str) -> str:
    """Return the words of a letter without the marks of press."""
    return " ".join(word for word in text.split() if word != ":")


class Clocked(Siege):
    """A siege in which each look at the processor time takes *tick* seconds, after *free* ones."""

    tick, free, _now = 0.0, 0, 0.0

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), cpu_clock=self._look)

    def _look(self) -> float:
        self._now += 0.0 if self.free > 0 else self.tick
        self.free -= 1
        return self._now


class Drawing(Clocked):
    """A siege in which each draw of chance takes two seconds of processor time."""

    def _entropy(self, count: int) -> bytes:
        self._now += 2.0
        return super()._entropy(count)


class Timed(Siege):
    """A siege with the real processor time."""

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), cpu_clock=time.thread_time)


class Crowded(Siege):
    """A siege in which the process needs *taken* more octets of memory at each look."""

    taken, _peak = 0, 0

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), peak_memory=self._look)

    def _look(self) -> int:
        self._peak += self.taken
        return self._peak


def test_a_letter_has_at_most_60_commands() -> None:
    body = read_body([Line(number, "STATUS") for number in range(1, 3_001)], None)
    assert len(body.commanded(Status)) == MOST_COMMANDS == 60
    (rest,) = [item for item in body.items if isinstance(item, Unparsed)]
    assert rest.line == 61
    assert rest.reason == "An email can have 60 commands. Nothing was read from here on."


def test_a_question_is_answered_once_and_the_rest_named() -> None:
    siege = Siege()
    siege.reply(FRODO, "STATUS\nWHO\nSTATUS\nHELP PRESS\nHELP VOTE\n" + "WHO\n" * 80, "T1")
    answers = words(siege.everything_mailed())
    assert answers.count("SW-1 StarWeb: 2 seats") == 1
    assert answers.count("one email answers each question once") == 56
    assert "Nothing was read from here on" in answers


def test_what_costs_much_is_answered_once_in_any_form() -> None:
    siege = Siege()
    siege.reply(GM, "PREVIEW\nREPLAY\n" * 3 + "RULES\nRULES\n", "is open")
    (answer,) = siege.got(GM)
    assert answer.endswith("not done: PREVIEW and 2 more; answer: REPLAY and 2 more")
    assert siege.last(GM).text.count("one email answers each question once") == 5


def test_orders_are_not_commands() -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 2000\n" * 70 + "WAIT\n", "T1")
    assert "An email can have" not in siege.everything_mailed()


def test_a_letter_that_costs_too_much_goes_to_quarantine_and_the_next_is_read() -> None:
    siege = Clocked()
    before = siege.picture()
    siege.tick = 0.16
    siege.reply(SAM, COSTLY, "T1")
    assert newest(siege) is InboxState.QUARANTINED
    assert siege.picture() == before
    assert "Your email needs more computing time or memory" in words(siege.last(SAM).text)
    assert "needs more than 2 s of processor time" in words(siege.last(OPERATOR).text)
    siege.reply(FRODO, "STATUS\n", "T1")
    assert newest(siege) is InboxState.READ


def test_many_letters_that_cost_too_much_make_one_alert() -> None:
    siege = Clocked()
    siege.tick = 0.5
    for number in range(3):
        siege.reply(SAM, f"{COSTLY}\nENDING {number}\n", "T1")
        assert newest(siege) is InboxState.QUARANTINED
    assert len(siege.got(OPERATOR)) == 1


def test_a_letter_that_takes_too_much_memory_goes_to_quarantine() -> None:
    siege = Crowded()
    before = siege.picture()
    siege.taken = 200_000_000
    siege.reply(SAM, COSTLY, "T1")
    assert newest(siege) is InboxState.QUARANTINED
    assert siege.picture() == before
    assert "or 500 MB of memory" in words(siege.last(OPERATOR).text)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "above",
    ["-- \n", "> : a line of a quoted message of somebody else\n"],
)
def test_lines_that_are_not_read_cost_no_order(above: str) -> None:
    siege = Timed()
    # To look at all of them takes twenty times as long as a letter may take.
    lines = "".join(f"SET ZONE x{number}\n" for number in range(3000))
    siege.reply(FRODO, f"ENDING 3000\n{above}{lines}", "T1")
    assert newest(siege) is InboxState.READ
    assert "1 order accepted" in siege.last(FRODO).subject


@pytest.mark.sampled
@pytest.mark.parametrize("above", ["", "-- \n", "On Monday, GM wrote:\n"])
def test_ten_thousand_lines_of_words_cost_no_order(above: str) -> None:
    siege = Timed()
    lines = "".join(f"this is line {number} of what I want to say\n" for number in range(9_990))
    siege.reply(FRODO, f"ENDING 3000\n{above}{lines}", "T1")
    assert newest(siege) is InboxState.READ
    assert "1 order accepted" in siege.last(FRODO).subject


def calls(siege: Siege, text: str) -> int:
    """Return how many functions are called while a reply with that text is read and answered."""
    answered, called = siege.last(FRODO, "T1"), 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal called
        called += event in ("call", "c_call")

    raw = siege.person(FRODO).reply(answered, text, siege.now, {})
    sys.setprofile(count)
    try:
        siege.arrive(raw, answered.reply_to)
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("above", "line", "most"),
    [
        ("", "this is line {} of what I want to say\n", 335),
        ("On Monday, GM wrote:\n", "this is line {} of what I want to say\n", 335),
        ("-- \n", "this is line {} of what I want to say\n", 62),
        ("-- \n", "F{0}W6 is what W{0} said\n", 70),
    ],
)
def test_a_line_of_words_takes_few_calls(above: str, line: str, most: int) -> None:
    siege = Siege()
    few, many = ("".join(map(line.format, range(count))) for count in (500, 1000))
    calls(siege, f"ENDING 3000\n{above}{few}")
    first = calls(siege, f"ENDING 3000\n{above}{few}")
    assert (calls(siege, f"ENDING 3000\n{above}{many}") - first) / 500 < most


def near_orders(count: int) -> str:
    return "".join(f"F{number}W6 maybe\n" for number in range(1, count + 1))


@pytest.mark.sampled
@pytest.mark.parametrize("above", ["", "-- \n"])
def test_near_orders_cost_no_order_and_all_are_counted(above: str) -> None:
    siege = Timed()
    siege.reply(FRODO, f"CLEAR\nFINAL\nENDING 3000\n{above}{near_orders(2_000)}", "T1")
    assert newest(siege) is InboxState.READ
    text = words(siege.last(FRODO).text)
    if not above:
        assert "F301W6 maybe (and 1699 more lines)" in text
        assert f"explains the first {MOST_ADVISED} lines" in text
    assert ("FINAL was not carried out" in text) is (not above)


def test_mistyped_commands_that_are_not_named_are_counted() -> None:
    siege = Siege()
    mistyped = "".join(f"HISTORYY {n}\n" for n in range(MOST_ADVISED + 99))
    siege.reply(FRODO, f"ENDING 3000\n{mistyped}", "T1")
    answer = siege.last(FRODO)
    assert "HISTORYY 300 (and 98 more lines)" in words(answer.text)
    assert answer.subject.endswith(f"{MOST_ADVISED + 99} lines not done (#2)")


def test_lines_that_are_not_read_get_as_much_advice_as_the_text() -> None:
    for count, is_named in ((MOST_ADVISED - 2, True), (MOST_ADVISED, False)):
        siege = Siege()
        siege.reply(FRODO, f"CLEAR\nENDING 3000\n{near_orders(count)}\n-- \nENDING 4000\n", "T1")
        assert newest(siege) is InboxState.READ
        assert ("it is in your signature" in siege.last(FRODO).text) is is_named


def test_a_letter_that_is_long_to_read_holds_up_nobody() -> None:
    siege = Clocked()
    before = siege.picture()
    siege.tick = 0.004
    siege.reply(FRODO, "ENDING 3000\n" * 1000, "T1")
    assert newest(siege) is InboxState.QUARANTINED
    assert siege.picture() == before


@pytest.mark.slow
def test_a_replay_that_takes_too_long_checks_only_the_newest_turns() -> None:
    siege = Clocked()
    siege.later(days=11)
    siege.write(GM, "GM SW-1\nREPLAY\n")
    siege.free, siege.tick = 14, 6.0
    siege.reply(GM, "CONFIRM\n", "confirm: REPLAY")
    assert "The newest 1 of 2 turns resolved again: identical." in words(siege.last(GM).text)


def test_no_costly_question_of_an_unproven_gm_is_computed() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nCHECK\nREPLAY\nPREVIEW\n")
    assert siege.got(GM) == ["Re: [SW-1 T1] confirm: CHECK, REPLAY, PREVIEW"]
    assert "resolved again" not in siege.everything_mailed()


_PREVIEWED: Final = (
    "BROADCAST\nHello all\nEND",
    "CORRECT Points forgotten\n[FRODO]: (Score=481)\nEND",
    "DEADLINE 2026-09-20 18:00 UTC",
    "ELIMINATE SAM",
    "END GAME",
    "EXTEND 2 days",
    "HOLD",
    "OBSERVERS ON",
    "OPTION EXTENSIONS 9 days",
    "OPTION GRACE 2 hours",
    "OPTION MISSED 3",
    "PROMOTE sam@shire.example",
    "REMIND NOW",
    "REPLACE SAM merry@shire.example",
    "RESOLVE",
    "SCHEDULE 3 days",
    "TITLE The long night",
)
"""Commands of a GM that have a preview, and are possible in the siege."""


def _shown(siege: Siege) -> str:
    (shown,) = siege.last(GM, "confirm: ").text.partition("IF YOU CONFIRM\n")[2].split("\n\n")[:1]
    return words(shown)


@pytest.mark.slow
@pytest.mark.parametrize("command", _PREVIEWED)
def test_an_unproven_gm_reads_the_preview_of_a_proven_one_and_confirms_it(command: str) -> None:
    proven, unproven = Siege(), Siege()
    # Next to a command that waits, all others wait, too.
    proven.reply(GM, f"PROMOTE bilbo@shire.example\n{command}\n")
    unproven.write(GM, f"GM SW-1\n{command}\n")
    assert _shown(unproven) in _shown(proven)
    assert _shown(unproven) not in (command, words(command))
    unproven.later(minutes=65)
    unproven.reply(GM, "CONFIRM\n")
    assert "] confirm: " not in unproven.last(GM).subject


@pytest.mark.sampled
def test_an_unproven_gm_reads_the_words_of_a_costly_question() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nREPORT OF FRODO\n")
    assert _shown(siege) == "REPORT OF FRODO"


def test_what_can_be_undone_is_done_when_an_unverified_gm_confirms_it() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nEXTEND 2 days\n")
    siege.reply(GM, "CONFIRM\n", "confirm: EXTEND")
    assert "The GM moved the deadline of turn 1" in words(siege.last(GM).text)
    assert siege.last(GM).subject == "Re: [SW-1 T1] done: EXTEND"


def test_changes_are_tried_only_for_so_long_and_an_unverified_gm_is_charged_for_it() -> None:
    siege = Drawing()
    siege.write(GM, 'CREATE STARWEB SEATS 6 DEADLINE "5 days"')
    siege.reply(GM, "CONFIRM\n")
    siege.write(GM, "GM SW-2\n" + "".join(f"ASSIGN new{n}@shire.example N{n}\n" for n in "ABCD"))
    text = words(siege.last(GM).text)
    assert text.count("An email can do only so much at once") == 2
    with siege.store.read() as session:
        reading = Charge(Thing.READING, {Key.CLAIMED: GM})
        assert ledger.used(session, reading, siege.now) == 8_000


@pytest.mark.slow
def test_a_command_confirmed_in_another_turn_is_shown() -> None:
    siege = Siege()
    siege.write(GM, "GM SW-1\nEXTEND 2 days\n")
    siege.later(days=6)
    siege.reply(GM, "CONFIRM\n", "confirm: EXTEND")
    assert "Turn 2 of SW-1 is due on" in _shown(siege)


def test_a_correction_is_shown_before_its_gm_is_proven() -> None:
    siege = Siege()
    before = siege.picture()
    siege.write(GM, "GM SW-1\nCORRECT Points forgotten\n[FRODO]: (Score=481)\nEND\n")
    assert "score 481 (before: 0)" in words(siege.last(GM).text)
    assert siege.picture() == before
    siege.reply(GM, "CONFIRM\n", "confirm: CORRECT")
    assert "The GM corrected the game" in words(siege.last(GM).text)


@pytest.mark.slow
def test_letters_of_others_do_not_use_up_what_a_player_is_asked() -> None:
    siege = Siege()
    for number in range(20):
        siege.write(f"spy{number}@evil.example", "SW-1 T1 [FRODO]\nENDING 1000\n")
    asked = len(siege.got(FRODO))
    assert asked == 8
    text = words(siege.last(FRODO).text)
    assert "It came from spy7@evil.example, which is not an address of yours." in text
    siege.write(FRODO, "SW-1 T1 [FRODO]\nENDING 9000\n")
    assert "confirm: orders" in siege.got(FRODO)[asked]
    siege.reply(FRODO, "CONFIRM\n", "confirm: orders")
    assert "1 order accepted" in siege.last(FRODO).subject


def test_a_strangers_letter_that_costs_too_much_is_not_answered() -> None:
    siege = Clocked()
    siege.tick = 3.0
    siege.write(MALLORY, "LIST\nHELP\n")
    assert newest(siege) is InboxState.QUARANTINED
    assert siege.got(MALLORY) == []


@pytest.mark.parametrize(("octets", "name"), [(1_000, "json"), (600_000, "json.gz")])
def test_a_long_record_of_orders_is_compressed(octets: int, name: str) -> None:
    siege = Siege()
    with siege.store.write() as session:
        game = games.by_name(session, "SW-1")
        assert game is not None
        (turn,) = games.turns_of(session, game)
        # Only chance cannot be compressed.
        turn.corrections = [random.Random(octets).randbytes(octets // 2).hex()]
        files = export.files(session, siege.daemon.app.site, game)
    assert [file.name for file in files] == ["sw-1-state.json", f"sw-1-orders.{name}"]


def in_html(siege: Siege, *pages: str) -> None:
    """Deliver a forged letter of Frodo's with pages of HTML, and nothing else."""
    parts = "".join(f"--b\nContent-Type: text/html\n\n{page}\n" for page in pages)
    head = f"From: {FRODO}\nTo: games@referee.example\nContent-Type: multipart/mixed; boundary=b\n"
    siege.raw(f"{head}\n{parts}--b--\n")


@pytest.mark.slow
def test_only_the_beginning_of_long_html_is_read() -> None:
    siege = Siege()
    in_html(siege, *["<p>STATUS</p>" + "<b></b>" * 30_000 for _ in range(9)])
    answer = words(siege.last(FRODO).text)
    assert answer.count("STATUS") < 3
    assert "Of its HTML only the first 200,000 characters are read" in answer


def test_html_behind_a_plain_text_is_not_read() -> None:
    raw = (
        b"From: a@b.example\nContent-Type: multipart/alternative; boundary=b\n\n"
        b"--b\nContent-Type: text/plain\n\n" + b"F3W7 and more words\n" * 30 + b"--b\n"
        b"Content-Type: text/html\n\n" + b"<i></i>" * 200_000 + b"\n--b--\n"
    )
    letter = decode(raw)
    assert letter.text.count("F3W7") == 30
    assert letter.refused == ()


@pytest.mark.slow
def test_the_cost_of_a_row_of_cells_grows_with_its_cells() -> None:
    rows = ["<table><tr>" + "<td>&nbsp;" * cells for cells in (2_000, 16_000)]
    assert growth(text_of_markup, rows[0], rows[1]) < 20


@pytest.mark.parametrize(
    ("markup", "words"),
    [
        ("<p {}>HELP".format(" ".join(f"a{number}" for number in range(200))), "HELP"),
        ("<li><dd>" * 600 + "HELP", "HELP"),
        ("<dl><dt>a<dd>b</dl><ul><li>c</ul>" * 90 + "<p hidden>no</p>HELP", "a b c " * 90 + "HELP"),
        ("<svg>" + "<tr>" * 900 + "</b>" * 900 + "</svg><p hidden>no</p>HELP", "HELP"),
        ("<math/><svg width=1 />HELP", "HELP"),
        ("<html><body class=x>HELP</body><body id=y>ME</body></html>", "HELPME"),
    ],
)
def test_the_text_of_costly_html_is_read(markup: str, words: str) -> None:
    assert text_of_markup(markup).split()[-len(words.split()) :] == words.split()


@pytest.mark.parametrize(
    "markup",
    [
        "<p {}>".format(" ".join(f"a{number}" for number in range(200))),
        "<p b='>'{}>".format("/".join(f'a{number}=">"' for number in range(200))),
        '<!-- <p a=" --><p {}>'.format(" ".join(f"a{number}" for number in range(200))),
        "<li><dd>" * 600,
        "<dt><li></x>" * 600,
    ],
)
def test_html_that_takes_long_to_parse_is_read_without_its_structure(markup: str) -> None:
    """The square of the attributes of a tag, and of the open elements, is the parser's time."""
    hidden = "<p hidden>HELP</p>"
    assert "HELP" not in text_of_markup(hidden)
    assert "HELP" in text_of_markup(markup + hidden)


def test_a_letter_in_quarantine_is_decoded_once() -> None:
    siege, decoded = Clocked(), 0
    siege.tick = 3.0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal decoded
        decoded += event == "call" and frame.f_code is decode.__code__

    sys.setprofile(count)
    try:
        siege.write(FRODO, "LIST\nHELP\n")
    finally:
        sys.setprofile(None)
    assert newest(siege) is InboxState.QUARANTINED
    assert decoded == 1


@pytest.mark.slow
def test_an_address_gets_eight_emails_an_hour_that_others_ask_for() -> None:
    siege, victim = Siege(), "victim@elsewhere.example"
    for _ in range(9):
        siege.reply(FRODO, f"DEPUTY {victim} TO 6 September\n", "T1")
        siege.reply(FRODO, "CONFIRM\n", "confirm")
        siege.reply(FRODO, "DEPUTY NONE\n", "T1")
        siege.reply(FRODO, "CONFIRM\n", "confirm")
    siege.reply(GM, f"GM SW-1\nPROMOTE {victim}\n", "is open")
    siege.reply(GM, "CONFIRM\n", "confirm")
    assert len(siege.got(victim)) == 8
    assert "sent too many emails that it did not ask for" in words(siege.last(GM).text)


def test_an_account_can_have_thirty_emails_an_hour_sent_to_others() -> None:
    siege, others = Siege(), [f"v{number}@far.example" for number in range(3)]
    share = SHARES[Thing.UNASKED][0]
    with siege.store.write() as session:
        desk = Desk(session, siege.daemon.app.site, siege.now)
        ledger.book(desk, Charge(share.thing, {share.key: GM}, share.hour - 1))
    for other in others[:2]:
        siege.reply(GM, f"PROMOTE {other}\n", "is open")
        siege.reply(GM, "CONFIRM\n", "confirm")
    assert "You have had 30 emails sent to others" in words(siege.last(GM).text)
    # What is refused is not done in part: nobody else is a GM now.
    assert [len(siege.got(other)) for other in others] == [1, 0, 0]
    # Another account has as many, whoever else has used up theirs.
    siege.reply(FRODO, f"DEPUTY {others[2]} TO 6 September\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert [bool(siege.got(other)) for other in others] == [True, False, True]


@pytest.mark.slow
def test_people_who_cannot_be_deputies_are_charged_like_all_others() -> None:
    siege = Siege()
    for _ in range(9):
        siege.reply(FRODO, f"DEPUTY {SAM} TO 6 September\n", "T1")
        siege.reply(FRODO, "CONFIRM\n", "confirm")
        siege.reply(FRODO, "DEPUTY NONE\n", "T1")
        siege.reply(FRODO, "CONFIRM\n", "confirm")
    siege.reply(FRODO, f"DEPUTY {SAM} TO 6 September\n", "T1")
    assert "sent too many emails that it did not ask for" in words(siege.last(FRODO).text)


def test_the_oldest_open_question_gives_way_to_a_new_one_of_its_kind() -> None:
    siege = Siege()
    siege.write(SAM, "RESIGN\n", "[SW-1 T1 SAM]")
    proven = held(siege)
    assert len(proven) == 1
    siege.write(FRODO, "SW-1 T1 [FRODO]\nENDING 1000\n")
    (oldest,) = {*held(siege)} - {*proven}
    _, share = SHARES[Thing.HELD]
    with siege.store.write() as session:
        row = session.get_one(InboxLetter, oldest)
        columns = [column.key for column in inspect(InboxLetter).column_attrs]
        copied = {name: getattr(row, name) for name in columns if name != "id"}
        for number in range(share.at_once - 1):
            copied |= {"source_id": f"copy {number}", "receipt": None}
            session.execute(insert(InboxLetter).values(copied))
    siege.write(FRODO, "SW-1 T1 [FRODO]\nENDING 2000\n")
    after = held(siege)
    assert oldest not in after
    assert {*proven} <= {*after}
    assert len(after) == share.at_once + len(proven)


def held(siege: Siege) -> list[int]:
    """Return the numbers of the emails that wait for a confirmation."""
    with siege.store.read() as session:
        return [row.id for row in inbox.listing(session, InboxState.HELD, 999)]


def _absences(number: int) -> str:
    return "".join(
        f"ABSENT FROM {day} October TO 28 October\nABSENT NONE\n" for day in range(1, number)
    )


def test_absences_that_one_email_announces_and_cancels_are_no_news_for_the_gm() -> None:
    siege = Siege()
    before = len(siege.got(GM))
    siege.reply(FRODO, _absences(20), "T1")
    assert siege.got(GM)[before:] == []
    siege.reply(FRODO, f"{_absences(20)}ABSENT FROM 1 October TO 2 October\n", "T1")
    assert len(siege.got(GM)[before:]) == 1
    assert "announced an absence: from Thu 1 Oct 2026 to Fri 2 Oct 2026" in words(
        siege.last(GM).text
    )


def test_what_a_gm_does_and_undoes_in_one_email_makes_one_notice_and_one_report() -> None:
    siege = Siege()
    before = len(siege.got(SAM))
    siege.reply(GM, "GM SW-1\n" + "ELIMINATE SAM\nELIMINATE SAM UNDO\n" * 10, "is open")
    siege.reply(GM, "CONFIRM\n", "confirm")
    notice, report = siege.got(SAM)[before:]
    assert "the GM eliminated SAM" in notice
    assert "report" in report


def test_a_game_on_hold_that_resumes_in_the_same_email_is_no_news() -> None:
    siege = Siege()
    siege.later(minutes=7, milliseconds=400)
    before = siege.picture(), siege.got(SAM)
    siege.reply(GM, "GM SW-1\nHOLD\nRESUME\n", "is open")
    assert "SW-1 resumes" in words(siege.last(GM).text)
    assert (siege.picture(), siege.got(SAM)) == before


def test_an_account_notifies_others_thirty_times_an_hour_and_its_acts_count_all_the_same() -> None:
    siege = Siege()
    share = SHARES[Thing.NEWS][0]
    with siege.store.write() as session:
        desk = Desk(session, siege.daemon.app.site, siege.now)
        ledger.book(desk, Charge(share.thing, {share.key: FRODO}, share.hour - 1))
    before = len(siege.got(GM))
    siege.reply(FRODO, "ABSENT FROM 1 October TO 2 October\n", "T1")
    siege.reply(FRODO, "ABSENT FROM 5 October TO 6 October\n", "T1")
    assert len(siege.got(GM)[before:]) == 1
    assert "nobody was notified by email" in words(siege.last(FRODO).text)
    siege.reply(GM, "GM SW-1\nSTATUS\n", "is open")
    assert "away from Thu 1 Oct 2026 to Fri 2 Oct 2026" in words(siege.last(GM).text)
