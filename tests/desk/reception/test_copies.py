"""Copies: the believed one of two counts, and an email to two seats of a player is for both."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime

import pytest

from referee.desk.reception.intake import one_for_each_seat
from referee.domain.mail_transfer import IncomingMail
from referee.domain.tokens import Kind, Place, Token, sign
from referee.plugins import installed_rulesets
from referee.store.games import games
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import FRODO, KEY, SAM, Siege

ORDER = "ENDING 1000\n"
BEGIN = """
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes
=== gm@example.org gets mail
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "5 days" OPTION introduced=yes
=== gm@example.org gets mail
=== frodo@shire.example writes
JOIN SW-1 FRODO AS Empire Builder
=== frodo@shire.example writes
JOIN SW-2 BILBO AS Empire Builder
=== sam@shire.example writes
JOIN SW-1 SAM AS Empire Builder
=== sam@shire.example writes
JOIN SW-2 ROSE AS Empire Builder
"""


@pytest.fixture
def siege() -> Iterator[Siege]:
    with closing(Siege()) as siege:
        yield siege


@pytest.fixture
def two_games() -> Iterator[Conversation]:
    with closing(Conversation(installed_rulesets())) as conversation:
        for statement in BEGIN.split("===")[1:]:
            words, _, body = statement.strip().partition("\n")
            if body:
                person = conversation.person(words.split()[0])
                conversation.arrive(person.letter(ADDRESS, "", body, conversation.now, {}))
        yield conversation


def reply_addresses(conversation: Conversation, who: str = FRODO) -> tuple[str, str]:
    """Return the addresses for replies to the first reports of both games."""
    first, second = (
        next(got for got in conversation.person(who).got if f"[{game} T1" in got.subject)
        for game in ("SW-1", "SW-2")
    )
    return first.reply_to, second.reply_to


def on_file(conversation: Conversation) -> dict[str, list[object]]:
    """Return the orders on file, by the name of the seat."""
    with conversation.store.read() as session:
        seats = [row for game in ("SW-1", "SW-2") for row in games.by_name(session, game).seats]  # type: ignore[union-attr]
        sheets = [(row.name, games.sheet_of(session, row, 1)) for row in seats]
        return {name: list(sheet.orders) for name, sheet in sheets if sheet is not None}


def forged(siege: Siege, original: bytes) -> bytes:
    """Return the same email as somebody sends it who knows its text, but none of our tokens."""
    head, blank, body = original.partition(b"\r\n\r\n")
    kept = [line for line in head.split(b"\r\n") if not line.startswith((b"In-Reply-To", b"Refe"))]
    token = siege.token(FRODO).encode()
    return b"\r\n".join(kept).replace(b"+" + token, b"") + blank + body


def test_a_genuine_email_is_no_copy_of_a_forged_one(siege: Siege) -> None:
    answered = siege.last(FRODO, "T1")
    genuine = siege.person(FRODO).reply(answered, ORDER, siege.now, {})
    siege.arrive(forged(siege, genuine))
    assert siege.orders() == ["ENDING 8000"]
    siege.arrive(genuine, answered.reply_to)
    assert siege.orders() == ["ENDING 1000"]
    asked, answer = siege.got(FRODO)
    assert "confirm: orders" in asked
    assert "1 order accepted" in answer
    # The forged one no longer waits: to confirm it would file its orders a second time.
    siege.reply(FRODO, "CONFIRM", "confirm:")
    assert "no longer waits for your confirmation" in siege.last(FRODO).text


def test_a_forged_email_is_a_copy_of_a_genuine_one(siege: Siege) -> None:
    answered = siege.last(FRODO, "T1")
    genuine = siege.person(FRODO).reply(answered, ORDER, siege.now, {})
    siege.arrive(genuine, answered.reply_to)
    siege.arrive(forged(siege, genuine))
    subjects = siege.got(FRODO)
    assert len(subjects) == 2
    assert "1 order accepted" in subjects[0]
    assert "confirm" not in subjects[1]


def test_a_reply_with_the_message_id_of_another_is_a_copy_only_with_the_same_words(
    siege: Siege,
) -> None:
    answered, named = siege.last(FRODO, "T1"), {"Message-ID": "<always@shire.example>"}
    texts = ("ENDING 1000\n", "ENDING 2000\n")
    first, second = (siege.person(FRODO).reply(answered, text, siege.now, named) for text in texts)
    for raw, order in ((first, "ENDING 1000"), (second, "ENDING 2000"), (first, "ENDING 2000")):
        siege.arrive(raw, answered.reply_to)
        assert siege.orders() == [order]


def test_a_confirmed_email_is_not_carried_out_again_by_its_believed_copy(siege: Siege) -> None:
    answered = siege.last(FRODO, "T1")
    genuine = siege.person(FRODO).reply(answered, "PRESS TO SAM\nhello\nEND\n", siege.now, {})
    siege.arrive(forged(siege, genuine))
    siege.reply(FRODO, "CONFIRM", "confirm:")
    assert len(siege.picture().press) == 1
    siege.arrive(genuine, answered.reply_to)
    assert len(siege.picture().press) == 1


def test_an_email_that_a_mail_server_hands_over_again_is_answered_once(siege: Siege) -> None:
    answered = siege.last(FRODO, "T1")
    email = siege.person(FRODO).reply(answered, ORDER, siege.now, {})
    siege.arrive(email, answered.reply_to)
    before = siege.got(FRODO)
    siege.arrive(email, answered.reply_to)
    assert siege.got(FRODO) == before
    siege.arrive(b"Received: from a.second.way\r\n" + email, answered.reply_to)
    assert siege.got(FRODO) == [*before, "Re: received before as #2"]


@pytest.mark.slow
def test_one_email_in_a_mailbox_counts_for_both_seats(two_games: Conversation) -> None:
    addresses = ", ".join(reply_addresses(two_games))
    frodo = two_games.person(FRODO)
    two_games.arrive(frodo.letter(addresses, "my orders", ORDER, two_games.now, {}), "")
    assert on_file(two_games) == {"FRODO": ["ENDING 1000"], "BILBO": ["ENDING 1000"]}
    assert ["1 order accepted" in got.subject for got in frodo.got[-2:]] == [True, True]


@pytest.mark.slow
def test_a_mail_server_hands_over_one_email_for_each_seat(two_games: Conversation) -> None:
    first, second = reply_addresses(two_games)
    frodo = two_games.person(FRODO)
    raw = frodo.letter(f"{first}, {second}", "my orders", ORDER, two_games.now, {})
    answered = len(frodo.got)
    for recipient in (first, second, second):
        two_games.arrive(raw, recipient)
    assert on_file(two_games) == {"FRODO": ["ENDING 1000"], "BILBO": ["ENDING 1000"]}
    answers = [got.subject for got in frodo.got[answered:]]
    assert ["1 order accepted" in subject for subject in answers] == [True, True]


@pytest.mark.slow
def test_an_email_that_names_its_game_counts_for_that_one(two_games: Conversation) -> None:
    addresses = ", ".join(reply_addresses(two_games))
    raw = two_games.person(FRODO).letter(addresses, "", f"SW-1 T1\n{ORDER}", two_games.now, {})
    two_games.arrive(raw, "")
    assert on_file(two_games) == {"FRODO": ["ENDING 1000"]}


@pytest.mark.slow
def test_the_turn_in_the_subject_is_that_of_its_own_game(two_games: Conversation) -> None:
    addresses = ", ".join(reply_addresses(two_games))
    subject = "Re: [SW-1 T2 FRODO] report"
    raw = two_games.person(FRODO).letter(addresses, subject, ORDER, two_games.now, {})
    two_games.arrive(raw, "")
    assert on_file(two_games) == {"BILBO": ["ENDING 1000"]}


@pytest.mark.slow
def test_an_email_to_another_players_seat_counts_for_one(two_games: Conversation) -> None:
    mine, _ = reply_addresses(two_games)
    _, theirs = reply_addresses(two_games, SAM)
    raw = two_games.person(FRODO).letter(f"{mine}, {theirs}", "", ORDER, two_games.now, {})
    two_games.arrive(raw, "")
    assert on_file(two_games) == {"FRODO": ["ENDING 1000"]}


@pytest.mark.slow
def test_an_invented_reply_address_adds_nothing(two_games: Conversation) -> None:
    mine, _ = reply_addresses(two_games)
    invented = f"games+s-{'a' * 40}@referee.example"
    frodo = two_games.person(FRODO)
    before = len(frodo.got)
    raw = frodo.letter(f"{mine}, {invented}", "my orders", ORDER, two_games.now, {})
    two_games.arrive(raw, "")
    assert on_file(two_games) == {"FRODO": ["ENDING 1000"]}
    assert ["1 order accepted" in got.subject for got in frodo.got[before:]] == [True]


def test_an_email_in_a_mailbox_to_a_seat_and_an_offer_is_stored_for_both() -> None:
    seat, offer, gm = (
        f"games+{sign(Token(kind, 1), Place.REPLY_TO, KEY)}@referee.example"
        for kind in (Kind.SEAT, Kind.OFFER, Kind.GM)
    )
    raw = f"From: {FRODO}\r\nTo: {seat}, {gm}, {offer}\r\n\r\nTAKEOVER\r\n".encode()
    arrival = IncomingMail("imap:games", "1/7", raw, datetime(2026, 9, 1, tzinfo=UTC))
    stored = one_for_each_seat(arrival, KEY)
    assert [(each.source_id, each.recipient) for each in stored] == [("1/7", ""), ("1/7+2", offer)]


def test_a_signed_newcomers_email_counts_once() -> None:
    with closing(Siege(authserv_ids=frozenset({MAIL_SERVER}))) as siege:
        raw = siege.person("merry@buckland.example").letter(
            ADDRESS, "", "PLAY STARWEB\n", siege.now, {}
        )
        siege.arrive(raw)
        before = siege.got("merry@buckland.example")
        siege.arrive(raw)
        assert siege.got("merry@buckland.example") == before
