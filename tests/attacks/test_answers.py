"""Attacks on the answers: floods of them, budgets emptied by others, and robots."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import pytest
from sqlalchemy import select

from referee.desk.base.desk import Site
from referee.domain.mailboxes import mailbox_of
from referee.domain.shares import SIZES, Size, Thing
from referee.domain.tokens import shows_token
from referee.rules.ruleset import Ruleset
from referee.store.letter_states import InboxState, SendShare
from referee.store.mail import inbox
from referee.store.mail.bookings import Booking
from referee.store.models import OutboxLetter
from referee.testing.conversation import ADDRESS
from referee.testing.correspondents import MAIL_SERVER, Received, proven, quoted
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege
from tests.support.examples import mostly_slow

TAG = "[SW-1 T1 FRODO] my orders"
TOPICS = ("", "ORDERS", "GM", "COMMANDS", "OPTIONS", "SCHEDULE", "PRESS", "STARWEB", "DEADLINES")


# ---- One letter in, one letter out ---------------------------------------------------------


def test_a_forged_letter_full_of_questions_gets_one_answer_of_bounded_size() -> None:
    siege = Siege()
    lines = "".join(f"HELP {topic}\nLIST\nRULES SW-1\n" for topic in TOPICS)
    siege.write("victim@third.example", lines * 5)
    assert len(siege.got("victim@third.example")) == 1
    assert sum(len(sent.raw) for sent in siege.mailed) < 200_000


@pytest.mark.slow
def test_reports_leave_in_time_after_such_letters() -> None:
    siege = Siege()
    for number in range(2):
        siege.write(f"victim{number}@third.example", "HELP\n" * 300)
    siege.later(days=6)
    assert "[SW-1 T2 FRODO]" in siege.got(FRODO)[-1]
    assert "[SW-1 T2 SAM]" in siege.got(SAM)[-1]


def test_a_letter_with_every_question_gets_one_letter() -> None:
    siege = Siege()
    siege.reply(FRODO, "HELP\nHELP PRESS\nRULES\nHISTORY\nMAP\nREPORT 1\nSTATUS\nORDERS\n", "T1")
    assert len(siege.got(FRODO)) == 1
    assert siege.last(FRODO).files == (
        "help.txt",
        "help-press.txt",
        "house-rules-of-sw-1-version-1.txt",
        "history.txt",
        "map-of-turn-1.txt",
        "map.svg",
        "map.png",
        "report-of-turn-1-again.txt",
    )


def test_a_question_is_answered_once_however_often_it_is_asked() -> None:
    siege = Siege()
    siege.reply(FRODO, "HELP PRESS\nHELP press\nSTATUS\nSTATUS\nHELP PRESS\n", "T1")
    assert len(siege.got(FRODO)) == 1
    answer = siege.last(FRODO).text
    assert answer.count("EXAMPLES FOR YOU") == 1
    assert answer.count("one email answers each question once") == 2


# ---- Budgets that others cannot empty ------------------------------------------------------


@pytest.mark.release
def test_forged_questions_leave_a_player_every_acknowledgement() -> None:
    siege = Siege()
    for _ in range(250):
        siege.write(FRODO, "STATUS\n", TAG)
    siege.reply(FRODO, "ENDING 1000\n", "T1")
    assert "1 order accepted (#" in siege.got(FRODO)[-1]


@pytest.mark.slow
def test_forged_questions_spend_only_what_is_for_unproven_letters() -> None:
    siege = Siege()
    for _ in range(20):
        siege.write(FRODO, "STATUS\n", TAG)
    answered = [subject for subject in siege.got(FRODO) if "STATUS" in subject]
    assert len(answered) == 12 + 4
    assert "we stop answering emails in your name" in siege.got(FRODO)[-1]
    for _ in range(15):
        siege.reply(FRODO, "STATUS\n", "T1")
    assert sum("STATUS" in subject for subject in siege.got(FRODO)) == 12 + 4 + 15


class Small(Siege):
    """A siege of a site that sends forty emails an hour, of which thirty can be answers."""

    def _site(self, rulesets: Mapping[str, Ruleset[Any, Any]]) -> Site:
        return replace(super()._site(rulesets), sizes={**SIZES, Size.LETTERS: 40})


@pytest.mark.slow
def test_an_account_leaves_others_the_answers_of_a_small_site() -> None:
    siege = Small()
    siege.later(hours=1)
    for number in range(12):
        siege.reply(FRODO, f"ENDING {1000 + number}\n", "T1")
    accepted = [subject for subject in siege.got(FRODO) if "1 order accepted" in subject]
    assert len(accepted) == 8
    assert "pause our answers" in siege.got(FRODO)[-1]
    assert siege.orders() == ["ENDING 1011"]
    for _ in range(12):
        siege.write(SAM, "STATUS\n", "[SW-1]")
    answered = [subject for subject in siege.got(SAM) if "STATUS" in subject]
    assert len(answered) == 6 + 4
    siege.reply(SAM, "ENDING 2000\n", "T1")
    assert "1 order accepted" in siege.got(SAM)[-1]


def test_answers_to_forged_questions_have_a_limit_of_octets() -> None:
    siege = Siege()
    siege.write(FRODO, "ORDERS\n", TAG)
    with siege.store.write() as session:
        octets = select(Booking).where(Booking.thing == Thing.OCTETS_OUT.name)
        (booking,) = session.scalars(octets.where(Booking.purse == f"CLAIMED {FRODO}"))
        assert booking.amount == len(siege.mailed[-1].raw)
        booking.amount = 1_000_000
    siege.write(FRODO, "ORDERS\n", TAG)
    siege.write(FRODO, "ORDERS\n", TAG)
    assert [subject for subject in siege.got(FRODO) if "ORDERS" in subject] == siege.got(FRODO)[:1]
    siege.reply(FRODO, "ORDERS\n", "T1")
    assert "ORDERS" in siege.got(FRODO)[-1]


@pytest.mark.slow
def test_the_tags_and_dots_of_an_address_give_a_mailbox_no_more_answers() -> None:
    siege = Siege()
    local, _, domain = FRODO.partition("@")
    senders = [f"v+{number}@far.example" for number in range(10)]
    senders += [f"{'victim'[:number]}.{'victim'[number:]}@gmail.com" for number in range(1, 6)]
    senders += [f"vict.{number * '.'}im@googlemail.com" for number in range(5)]
    senders += [f"{local}+{number}@{domain}" for number in range(10)]
    answered = Counter[str]()
    for sender in senders:
        siege.write(sender, "HELP\n")
        answered[mailbox_of(sender)] += len(siege.got(sender))
    assert answered == {"v@far.example": 8, "victim@gmail.com": 8, FRODO: 8}


def test_reports_do_not_wait_for_answers_to_strangers() -> None:
    siege = Siege()
    siege.write("x@far.example", "LIST\n")
    siege.write("y@far.example", "JOIN SW-1\n")
    siege.reply(FRODO, "F250W251\n", "T1")
    with siege.store.read() as session:
        rows = session.scalars(select(OutboxLetter))
        shares = {(row.recipient.partition("@")[0], row.kind): row.share for row in rows}
    assert shares["x", "CommandAnswers"] is SendShare.OTHERS
    assert {share for (name, _), share in shares.items() if name == "y"} == {SendShare.OTHERS}
    assert shares["frodo", "Acknowledgement"] is SendShare.ORDERS
    assert shares["frodo", "Report"] is SendShare.TURNS


@pytest.mark.slow
def test_forged_chatter_hides_no_sheet_of_rejected_orders() -> None:
    siege = Siege()
    for number in range(30):
        siege.write(FRODO, f"Hello {number}", TAG)
    before = siege.orders()
    siege.reply(FRODO, "ADD\nF250W251\n", "T1")
    assert "1 order rejected" in siege.got(FRODO)[-1]
    assert siege.orders() == [*before, "F250W251"]


def forged(siege: Siege, number: int, words: str) -> None:
    siege.raw(f"From: s{number}@many{number}.example\nMessage-ID: <{number}@e>\n\n{words}\n")


@pytest.mark.release
def test_forged_letters_cost_250_answers_a_day_eight_notices_an_hour_and_no_newcomer() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, 'CREATE STARWEB SEATS 9 DEADLINE "1 day"\n')
    for hour in range(12):
        # 25 answers to both kinds, and then eight notices that JOIN waits.
        for number in range(36):
            forged(siege, 100 * hour + number, "LIST")
            forged(siege, 100 * hour + number + 50_000, "JOIN SW-2")
        siege.later(hours=1)
    victims = [sent for sent in siege.mailed if "@many" in sent.recipient]
    assert len(victims) == 250 + 8 * 12
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    assert "welcome, you play" in siege.last("newcomer@far.example").subject


@pytest.mark.slow
def test_a_stranger_whose_domain_signs_is_answered_after_forged_letters() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    for number in range(26):
        forged(siege, number, "LIST")
    assert sum("@many" in sent.recipient for sent in siege.mailed) == 25
    for sender, sign in (("a@far.example", False), ("b@far.example", True)):
        raw = siege.person(sender).letter(ADDRESS, "", "LIST\n", siege.now, {})
        siege.arrive(proven(raw) if sign else raw)
    assert [len(siege.got(f"{name}@far.example")) for name in "ab"] == [0, 1]


def from_network(siege: Siege, sender: str, number: int) -> None:
    """Deliver a forged letter that the mail server of the site got from a network."""
    client = f"from x (unknown [8.8.{number}.8])"
    received = f"Received: {client} by {MAIL_SERVER} with SMTP; x"
    siege.raw(f"{received}\nFrom: {sender}\nMessage-ID: <{sender}>\n\nJOIN SW-2\n")


@pytest.mark.slow
@pytest.mark.parametrize("servers", [[MAIL_SERVER], []])
def test_newcomers_of_another_network_are_asked_in_a_flood_of_forged_letters(
    servers: Sequence[str],
) -> None:
    siege = Siege(authserv_ids=frozenset(servers))
    a_game_to_join(siege)
    victims = [f"s{number}@many{number}.example" for number in range(30)]
    for victim in victims:
        from_network(siege, victim, 1)
    got = [subject for victim in victims for subject in siege.got(victim)]
    assert sum("confirm: JOIN" in subject for subject in got) == 8
    from_network(siege, "newcomer@far.example", 2)
    assert siege.got("newcomer@far.example") == ["Re: [SW-2] confirm: JOIN"]


def test_a_confirmation_gives_its_network_back_what_the_question_cost() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    siege.write(GM, 'CREATE STARWEB SEATS 9 DEADLINE "1 day"\n')
    from_network(siege, "newcomer@far.example", 2)
    siege.reply("newcomer@far.example", "CONFIRM\n")
    with siege.store.read() as session:
        asked = select(Booking.purse, Booking.amount).where(Booking.thing == "NEWCOMER")
        left = {purse.partition(" ")[0]: amount for purse, amount in session.execute(asked)}
    assert left == dict.fromkeys(("MAILBOX", "ANYBODY", "NETWORK", "SITE"), 0)


def a_game_to_join(siege: Siege) -> None:
    """Open a game with nine seats, SW-2."""
    siege.write(GM, 'CREATE STARWEB SEATS 9 DEADLINE "1 day"\n')
    if "confirm" in siege.got(GM)[-1]:
        siege.reply(GM, "CONFIRM\n", "confirm")


@pytest.mark.release
def test_newcomers_are_notified_when_the_answers_to_unknown_addresses_are_used_up() -> None:
    siege = Siege()
    a_game_to_join(siege)
    for hour in range(5):
        for number in range(25):
            forged(siege, 100 * hour + number, "LIST")
            forged(siege, 100 * hour + number + 50_000, "JOIN SW-2")
        siege.later(hours=1)
    siege.write("curious@far.example", "LIST\n")
    assert siege.got("curious@far.example") == []
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    assert siege.got("newcomer@far.example") == ["Re: [SW-2] not done: too many emails to confirm"]
    said = " ".join(siege.last("newcomer@far.example").text.split())
    assert "Send it again tomorrow: nothing of it is kept." in said


def test_a_newcomer_who_is_not_asked_is_notified_once() -> None:
    siege = Siege()
    a_game_to_join(siege)
    for number in range(25):
        forged(siege, number, "JOIN SW-2")
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    assert siege.got("newcomer@far.example") == ["Re: [SW-2] not done: too many emails to confirm"]
    said = " ".join(siege.last("newcomer@far.example").text.split())
    assert "Send it again in an hour: nothing of it is kept." in said
    siege.later(hours=1)
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    assert siege.got("newcomer@far.example")[1:] == ["Re: [SW-2] confirm: JOIN"]


@pytest.mark.slow
def test_a_newcomer_who_asks_too_often_is_notified_once_a_day() -> None:
    siege = Siege()
    siege.write(GM, 'CREATE STARWEB SEATS 9 DEADLINE "1 day"\n')
    siege.reply(GM, "CONFIRM\n", "confirm")
    for number in range(11):
        siege.write("newcomer@far.example", "JOIN SW-2\n", f"attempt {number}")
    siege.later(hours=1)
    for number in range(11, 21):
        siege.write("newcomer@far.example", "JOIN SW-2\n", f"attempt {number}")
    got = siege.got("newcomer@far.example")
    assert sum("not done" in subject for subject in got) == 1
    assert sum("confirm: JOIN" in subject for subject in got) == 16


@pytest.mark.release
def test_games_against_robots_for_one_domain_leave_others_theirs() -> None:
    siege = Siege(authserv_ids=frozenset({MAIL_SERVER}))
    for number in range(36):
        siege.write(f"s@{number}.evil.example", "PLAY FISTFUL ROBOTS 1\n")
    got = [siege.got(f"s@{number}.evil.example")[0] for number in range(30)]
    assert ["welcome" in subject for subject in got] == [True] * 25 + [False] * 5
    assert "People at evil.example play too many" in siege.last("s@29.evil.example").text
    siege.write("newcomer@far.example", "PLAY FISTFUL ROBOTS 1\n")
    assert "welcome" in siege.got("newcomer@far.example")[0]


@pytest.mark.slow
def test_a_flood_of_questions_leaves_newcomers_their_way_in() -> None:
    siege = Siege()
    siege.write(GM, 'CREATE STARWEB SEATS 3 DEADLINE "1 day"\n')
    siege.reply(GM, "CONFIRM\n", "confirm")
    for number in range(110):
        siege.raw(f"From: s{number}@far.example\nSubject: x\nMessage-ID: <{number}@e>\n\nHELP\n")
    siege.write("newcomer@far.example", "HELP\n")
    assert siege.got("newcomer@far.example") == []
    siege.write("newcomer@far.example", "JOIN SW-2\n")
    assert siege.got("newcomer@far.example") == ["Re: [SW-2] confirm: JOIN"]
    siege.reply("newcomer@far.example", "CONFIRM\n")
    assert "welcome, you play" in siege.last("newcomer@far.example").subject


def test_the_letter_that_pauses_answers_can_be_replied_to() -> None:
    siege = Siege()
    for number in range(31):
        siege.reply(FRODO, f"Hello {number}", "T1")
    assert len(siege.got(FRODO)) == 31
    assert "if we do not answer, nothing was done" in siege.got(FRODO)[-1]
    siege.reply(FRODO, "ENDING 1000\n")
    assert siege.orders() == ["ENDING 1000"]
    assert "1 order accepted (#" in siege.got(FRODO)[-1]


# ---- Robots --------------------------------------------------------------------------------

Robot = Callable[[Received, Siege, int], str]


def _ticket(number: int) -> str:
    return f"Thank you for your message. Ticket {number} was opened.\n\n"


ROBOTS: dict[str, Robot] = {
    "a_ticket_system": lambda _got, _siege, number: _ticket(number),
    "one_that_quotes": lambda got, siege, number: _ticket(number) + quoted(got, siege.now),
    "one_that_copies": lambda got, _siege, number: _ticket(number) + got.text,
    "one_that_copies_first": lambda got, _siege, number: got.text + _ticket(number),
    "one_that_indents": lambda got, _siege, number: (
        _ticket(number) + "".join(f"    {line}\n" for line in got.text.splitlines())
    ),
    "one_that_copies_without_the_marker": lambda got, _siege, number: (
        _ticket(number) + got.text.replace("--- Reply above this line ---", "")
    ),
    "one_that_escapes": lambda got, _siege, number: _ticket(number) + escape(got.text),
    "one_that_asks": lambda _got, _siege, number: _ticket(number) + "HELP\nSTATUS\n",
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", mostly_slow(ROBOTS, every=10))
def test_a_robot_gets_31_answers_and_then_silence(name: str) -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 1000\n", "T1")
    before = len(siege.got(FRODO))
    for number in range(1, 40):
        came = len(siege.got(FRODO))
        siege.reply(FRODO, ROBOTS[name](siege.last(FRODO), siege, number))
        if len(siege.got(FRODO)) == came:
            break
    # A question whether orders are meant is no answer to chatter, and is asked once.
    answers = [subject for subject in siege.got(FRODO) if "not filed: " not in subject]
    assert (len(answers) - before <= 31, len(siege.got(FRODO)) - before <= 32) == (True, True)


@pytest.mark.slow
def test_an_address_that_bounces_in_its_own_words_gets_31_answers() -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 1000\n", "T1")
    before = len(siege.got(FRODO))
    for _ in range(40):
        body = f"Your message was not read.\n\nOriginal message:\n\n{siege.last(FRODO).text}"
        siege.reply(FRODO, body, Subject="Not read: your message")
    assert len(siege.got(FRODO)) - before <= 31


@pytest.mark.slow
def test_a_person_who_sends_orders_is_always_answered() -> None:
    siege = Siege()
    for number in range(40):
        siege.reply(FRODO, f"Dear referee,\nENDING {1000 + number}\nF250W251\n", "T1")
        siege.reply(FRODO, f"CHECK\nENDING {2000 + number}\nF250W251\nXYZ\n", "T1")
    got = siege.got(FRODO)
    assert sum("orders rejected" in subject for subject in got) == 80
    assert GM not in [sent.recipient for sent in siege.mailed]
    assert MALLORY not in siege.people


# ---- Programs that answer -------------------------------------------------------------------

MARKS = ("Precedence: bulk", "X-Autoreply: yes", "List-Id: <shire.example>", "Return-Path: <>")


@pytest.mark.parametrize("mark", mostly_slow(MARKS))
@pytest.mark.parametrize(
    "words",
    [
        "ENDING 1000\n",
        "I am away.\nENDING 1000\nFINAL\nSET ZONE Europe/Paris\nHELP\n",
        "ENDING 1000\nPRESS TO SAM\nI am away.\nEND\n",
        "Never do this:\nENDING 1000\n",
        "ENDING 1000\nRESIGN\n",
        "CONFIRM\nENDING 1000\n",
    ],
)
def test_a_marked_program_with_orders_gets_one_answer_at_most(mark: str, words: str) -> None:
    siege = Siege()
    name, _, value = mark.partition(": ")
    for _ in range(9):
        siege.reply(FRODO, words, **{name.replace("-", "_"): value})
    assert len(siege.got(FRODO)) <= 1


@pytest.mark.parametrize("name", mostly_slow(ROBOTS, every=10))
def test_a_marked_robot_gets_one_answer_at_most(name: str) -> None:
    siege = Siege()
    for number in range(1, 9):
        words = ROBOTS[name](siege.last(FRODO), siege, number)
        siege.reply(FRODO, words, Precedence="bulk")
    assert len(siege.got(FRODO)) <= 1


@pytest.mark.parametrize("mark", ["Precedence", "Auto-Submitted"])
def test_the_operator_can_have_the_orders_of_a_marked_email_done(mark: str) -> None:
    siege = Siege()
    siege.raw(f"From: {FRODO}\nTo: {ADDRESS}\nSubject: {TAG}\n{mark}: bulk\n\nENDING 1000\n")
    assert (siege.orders(), siege.got(FRODO)) == (["ENDING 8000"], [])
    with siege.store.write() as session:
        (unasked,) = inbox.listing(session, InboxState.UNASKED, 9)
        assert inbox.release(session, unasked.id) is not None
    siege.later(minutes=1)
    assert siege.orders() == ["ENDING 1000"]
    assert "1 order accepted" in siege.got(FRODO)[-1]


WORDS_OF_OTHERS = (
    "Log in at http://evil.example/x\n",
    "UNDO log in at http://evil.example/x\n",
    "HELP http://evil.example/x\n",
    "ORDERS\nSend your code to http://evil.example/x\n",
    "ENDING 1000 http://evil.example/x\nSTATUS\n",
)


@pytest.mark.sampled
@pytest.mark.parametrize("text", WORDS_OF_OTHERS)
def test_nobody_writes_to_a_player_in_the_answer_to_a_forged_email(text: str) -> None:
    siege = Siege()
    before = len(siege.got(FRODO))
    siege.raw(f"From: {FRODO}\nTo: {ADDRESS}\nSubject: [SW-1 T1 FRODO]\n\n{text}")
    assert len(siege.got(FRODO)) == before + 1
    shown = siege.last(FRODO).text
    assert [word for word in ("evil", "http", "log in", "your code") if word in shown] == []


REPEATED = (
    "VOTE {}",
    "CANCEL {}",
    "STANDING\n{}\nEND",
    "PRESS TO {}\nHello.\nEND",
    "HELP {}",
    "{}",
)


@pytest.mark.sampled
@pytest.mark.parametrize("text", REPEATED)
def test_no_answer_repeats_a_reply_address(text: str) -> None:
    siege = Siege()
    before = len(siege.person(FRODO).got)
    siege.reply(FRODO, text.format(siege.last(FRODO, "T1").reply_to) + "\n", "T1")
    (answer,) = siege.person(FRODO).got[before:]
    assert not shows_token(answer.text, KEY)


def test_a_gms_reply_address_reaches_no_player() -> None:
    siege = Siege()
    address = siege.last(GM, "SW-1").reply_to
    siege.reply(GM, f'GM SW-1\nHOLD BECAUSE "{address}"\nPRESS TO ALL\n{address}\nEND\n', "SW-1")
    siege.reply(GM, "CONFIRM\n", "confirm")
    assert "games+(token)@" in siege.last(FRODO).text
    texts = [each.text for each in siege.person(FRODO).got]
    assert not any(shows_token(each, KEY) for each in texts)
