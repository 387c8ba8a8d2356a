"""Attacks that must change no orders, seats, people or press, and reveal no secret."""

import base64
import logging
import re
from collections.abc import Callable

import pytest

from referee.domain.tokens import Kind, Place, Token, sign, verify
from referee.testing.conversation import ADDRESS
from referee.testing.correspondents import MAIL_SERVER
from tests.attacks.siege import FRODO, GM, KEY, MALLORY, SAM, Siege, token_of
from tests.letters.signing import Names, signed
from tests.support.examples import mostly_slow
from tests.support.token_places import misplaced

Attack = Callable[[Siege], None]
ATTACKS: dict[str, Attack] = {}
ORDER = "ENDING 1000\n"
TAG = "[SW-1 T1 FRODO] my orders"


def attack(act: Attack) -> Attack:
    """Register a function as an attack under its name."""
    ATTACKS[act.__name__] = act
    return act


def letter(head: str, body: str = ORDER) -> str:
    return f"{head}\nTo: {ADDRESS}\nSubject: {TAG}\nMessage-ID: <1@evil.example>\n\n{body}"


# ---- Forged senders ------------------------------------------------------------------------


@attack
def the_address_of_a_player_in_from(siege: Siege) -> None:
    siege.raw(letter(f"From: {FRODO}"))
    assert siege.got(FRODO) == ["Re: [SW-1 T1 FRODO] confirm: orders"]


@attack
def chatter_in_a_players_name(siege: Siege) -> None:
    """Try to keep a seat from missing its turn with its player's address in From."""
    siege.write(SAM, "Hello, I am here.", "[SW-1 T1 SAM] hello")
    assert "no orders in your email (#" in siege.got(SAM)[0]


FROMS = {
    "two_from_fields": f"From: {MALLORY}\nFrom: {FRODO}",
    "two_from_fields_the_other_way": f"From: {FRODO}\nFrom: {MALLORY}",
    "a_second_from_without_an_address": f"From: {FRODO}\nFrom: nobody",
    "two_addresses_in_from": f"From: {FRODO}, {MALLORY}",
    "a_group_in_from": f"From: friends: {FRODO}, {MALLORY};",
    "an_address_as_the_name": f'From: "{FRODO}" <{MALLORY}>',
    "an_address_as_the_bare_name": f"From: {FRODO} <{MALLORY}>",
    "two_addresses_in_brackets": f"From: <{FRODO}> <{MALLORY}>",
    "an_address_as_a_comment": f"From: {MALLORY} ({FRODO})",
    "an_address_in_an_encoded_name": (
        f"From: =?utf-8?b?{base64.b64encode(FRODO.encode()).decode()}?= <{MALLORY}>"
    ),
    "an_encoded_address": f"From: =?utf-8?q?{FRODO.replace('@', '=40')}?=",
    "an_encoded_comma": f"From: =?utf-8?q?{FRODO}=2C_?= <{MALLORY}>",
    "a_homograph_of_the_domain": "From: frodo@sh\u0456re.example",
    "a_homograph_of_the_name": "From: fr\u043edo@shire.example",
    "full_width_letters": "From: \uff46rodo@shire.example",
    "a_zero_width_space": "From: fro\u200bdo@shire.example",
    "a_quoted_local_part": f'From: "{FRODO}"@evil.example',
    "a_quoted_at_sign": f'From: "frodo@shire.example\\"@evil.example"@shire.example <{MALLORY}>',
    "a_route_in_the_address": f"From: <@shire.example:{MALLORY}>",
    "a_dot_after_the_domain": f"From: {FRODO}.",
    "a_null_byte_in_the_address": "From: frodo@shire.example\x00.evil.example",
    "no_from_at_all": f"Sender: {FRODO}",
    "sender_and_reply_to": f"From: {MALLORY}\nSender: {FRODO}\nReply-To: {FRODO}",
    "resent_from": f"From: {MALLORY}\nResent-From: {FRODO}",
    "an_envelope_in_the_header": f"From: {MALLORY}\nReturn-Path: <{FRODO}>",
    "a_from_on_two_lines": f"From: {FRODO}\n , {MALLORY}",
    "a_from_with_a_blank": f"From : {FRODO}\nFrom: {MALLORY}",
    "the_game_masters_address": f"From: {GM}",
    "capitals": f"From: {FRODO.upper()}",
}


@pytest.mark.parametrize("name", mostly_slow(FROMS))
def test_a_forged_from_files_nothing(name: str) -> None:
    siege = Siege()
    before = siege.picture()
    siege.raw(letter(FROMS[name]))
    assert siege.picture() == before
    # Besides the seat's player, only the single address in a From can get a letter about it.
    assert siege.got(SAM) == []
    others = "".join(each for person in (SAM, GM, MALLORY) for each in siege.got(person))
    assert ORDER.strip() not in others


@attack
def a_players_letter_in_the_gms_name(siege: Siege) -> None:
    siege.raw(letter(f"From: {GM}", "HOLD\n").replace(TAG, "[SW-1]"))
    assert siege.got(GM) == ["Re: [SW-1 T1] confirm: HOLD"]


@attack
def the_gms_address_with_the_senders_own_token(siege: Siege) -> None:
    siege.reply(FRODO, "HOLD\n", "T1", From=GM)
    if any("confirm" in subject for subject in siege.got(FRODO)):
        siege.reply(FRODO, "CONFIRM\n", "confirm")


@attack
def the_gms_address_with_the_senders_own_seat(siege: Siege) -> None:
    siege.write(GM, "HOLD\n", TAG)
    assert "confirm: HOLD" not in siege.everything_mailed()
    if any("confirm" in subject for subject in siege.got(FRODO)):
        siege.reply(FRODO, "CONFIRM\n", "confirm")


@attack
def a_gm_command_by_a_player(siege: Siege) -> None:
    for command in ("START", "HOLD", "RESUME", 'SCHEDULE "1 day"', "BROADCAST\nI win.\nEND"):
        siege.reply(FRODO, f"GM SW-1\n{command}\n", "T1")
        if "confirm" in siege.last(FRODO).subject:
            siege.reply(FRODO, "CONFIRM\n", "confirm")


# ---- Tokens --------------------------------------------------------------------------------


@attack
def a_token_with_a_letter_changed(siege: Siege) -> None:
    token = siege.token(FRODO)
    for place in range(len(token)):
        other = token[:place] + ("a" if token[place] != "a" else "b") + token[place + 1 :]
        siege.write(MALLORY, ORDER, To=f"games+{other}@referee.example")


@attack
def a_token_cut_short_or_made_longer(siege: Siege) -> None:
    token = siege.token(FRODO)
    for other in (token[:-1], token + "a", token[1:], token * 2, f"{token}-{token}", "", "+"):
        siege.write(MALLORY, ORDER, To=f"games+{other}@referee.example")


@attack
def a_token_signed_with_another_key(siege: Siege) -> None:
    siege.write(MALLORY, ORDER, To=f"games+{token_of(1, 1, 'report1', b'x')}@referee.example")


@attack
def a_token_at_another_host(siege: Siege) -> None:
    siege.write(MALLORY, ORDER, To=f"games+{siege.token(FRODO)}@evil.example")


@attack
def a_bounce_token_counts_for_no_seat(siege: Siege) -> None:
    senders = [sent.sender for sent in siege.mailed] or ["games@referee.example"]
    siege.write(MALLORY, ORDER, TAG, To=senders[-1])


@attack
def a_token_in_the_text(siege: Siege) -> None:
    token = siege.token(FRODO)
    siege.write(MALLORY, f"games+{token}@referee.example\n> {token}\nSW-1 [FRODO]\n{ORDER}", token)


@attack
def a_token_in_a_name(siege: Siege) -> None:
    to = f'"games+{siege.token(FRODO)}@referee.example" <{ADDRESS}>'
    siege.write(MALLORY, ORDER, TAG, To=to)


@attack
def a_forged_message_id_to_answer(siege: Siege) -> None:
    forged = f"<{token_of(1, 1, 'report1', b'guess')}@referee.example>"
    for reference in (forged, "<welcome.sw-1@referee.example>"):
        siege.write(MALLORY, ORDER, In_Reply_To=reference, References=reference)


@attack
def a_thread_that_all_players_know(siege: Siege) -> None:
    thread = siege.last(SAM, "T1").headers["References"]
    siege.write(MALLORY, ORDER, TAG, In_Reply_To=thread, References=thread)


@attack
def another_seats_orders_with_ones_own_token(siege: Siege) -> None:
    before = siege.orders("FRODO")
    siege.reply(SAM, "SW-1 T1 [FRODO]\nCHECK\nENDING 1000\n", "T1", Subject=TAG)
    assert siege.orders("FRODO") == before


# ---- Signatures ----------------------------------------------------------------------------


def raw_of(body: str = ORDER, sender: str = FRODO) -> bytes:
    text = (
        f"From: {sender}\nTo: {ADDRESS}\nSubject: {TAG}\nDate: Tue, 01 Sep 2026 12:00:00 +0000\n"
        f"Message-ID: <signed@shire.example>\n\n{body}"
    )
    return text.replace("\n", "\r\n").encode()


NAMES = Names().key("shire.example").key("evil.example")
SIGNATURES: dict[str, bytes] = {
    "signed_by_another_domain": signed(raw_of(), "evil.example"),
    "signed_by_a_subdomain": signed(raw_of(), "evil.shire.example"),
    "signed_and_changed": signed(raw_of(), "shire.example").replace(b"1000", b"2000"),
    "signed_with_a_length": signed(raw_of(""), "shire.example", length=True) + ORDER.encode(),
    "signed_without_the_subject": signed(
        raw_of(), "shire.example", covered=[b"from", b"date", b"message-id"]
    ),
    "signed_with_a_second_from": b"From: "
    + SAM.encode()
    + b"\r\n"
    + signed(raw_of(), "shire.example"),
    "results_by_the_sender": (
        b"Authentication-Results: mx.referee.example; dkim=pass header.d=shire.example\r\n"
        + raw_of()
    ),
    "arc_results_by_the_sender": (
        b"ARC-Authentication-Results: i=1; mx.referee.example; dkim=pass header.d=shire.example\r\n"
        b"ARC-Seal: i=1; a=rsa-sha256; cv=none; d=list.example; s=s; b=AAAA\r\n"
        b"ARC-Message-Signature: i=1; a=rsa-sha256; d=list.example; s=s; h=from; bh=AA; b=AA\r\n"
        + raw_of()
    ),
    "results_below_the_servers_own": (
        b"Authentication-Results: real.referee.example; dkim=fail header.d=shire.example\r\n"
        b"Authentication-Results: real.referee.example; dkim=pass header.d=shire.example\r\n"
        + raw_of()
    ),
}


@pytest.mark.parametrize("name", mostly_slow(SIGNATURES))
def test_a_forged_signature_files_nothing(name: str) -> None:
    trusted = frozenset({"real.referee.example"})
    siege = Siege(NAMES, authserv_ids=trusted, sealers=frozenset({"list.example"}))
    before = siege.picture()
    siege.arrive(SIGNATURES[name])
    assert siege.picture() == before


def test_a_signature_of_the_players_domain_is_believed_once() -> None:
    siege = Siege(NAMES, authserv_ids=frozenset({MAIL_SERVER}))
    raw = signed(raw_of(), "shire.example")
    siege.arrive(raw)
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "ENDING 3000\n", "T1")
    siege.arrive(b"Received: from a.second.way\r\n" + raw)
    assert siege.orders() == ["ENDING 3000"]
    assert "received before" in siege.got(FRODO)[-1]


def test_the_results_of_a_trusted_server_are_believed() -> None:
    siege = Siege(authserv_ids=frozenset({"real.referee.example"}))
    told = b"Authentication-Results: real.referee.example; dkim=pass header.d=shire.example\r\n"
    siege.arrive(told + signed(raw_of(), "shire.example"))
    assert siege.orders() == ["ENDING 1000"]


# ---- Confirmations -------------------------------------------------------------------------


@attack
def a_confirmation_by_somebody_else(siege: Siege) -> None:
    siege.raw(letter(f"From: {FRODO}"))
    siege.write(FRODO, "CONFIRM\n")
    siege.write(MALLORY, "CONFIRM\n", siege.last(FRODO, "confirm").subject)
    message = siege.last(FRODO, "confirm").message_id
    siege.write(MALLORY, "CONFIRM\n", In_Reply_To=message, References=message)


@attack
def a_confirmation_of_another_number(siege: Siege) -> None:
    siege.raw(letter(f"From: {FRODO}"))
    token = verify(re.sub(r"^games\+|@.*$", "", siege.last(FRODO, "confirm").reply_to), KEY)
    assert token is not None
    assert token.kind is Kind.QUESTION
    signed_wrong = sign(Token(Kind.QUESTION, token.number), Place.REPLY_TO, b"x")
    siege.write(MALLORY, "CONFIRM\n", To=f"games+{signed_wrong}@referee.example")
    seat = sign(Token(Kind.SEAT, 2, 1, letter="x"), Place.REPLY_TO, KEY)
    siege.write(SAM, "CONFIRM\n", To=f"games+{seat}@referee.example")


@attack
def a_confirmation_by_a_robot(siege: Siege) -> None:
    siege.raw(letter(f"From: {FRODO}"))
    siege.reply(FRODO, "CONFIRM\n", "confirm", Auto_Submitted="auto-replied")
    siege.reply(FRODO, "CONFIRM\n", "confirm", Precedence="bulk")
    siege.reply(FRODO, "CONFIRM\n", "confirm", Subject="Out of office: confirm: orders")
    answered = siege.last(FRODO, "confirm")
    siege.reply(FRODO, "I am away.\n> CONFIRM\n\n" + answered.text, "confirm")
    returned = next(sent.sender for sent in siege.mailed if b"confirm: orders" in sent.raw)
    siege.write(FRODO, "CONFIRM\n", To=returned)


def test_a_letter_is_confirmed_once() -> None:
    siege = Siege()
    siege.raw(letter(f"From: {FRODO}"))
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "ENDING 3000\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 3000"]


def test_a_pending_letter_ends_when_its_player_resigns() -> None:
    siege = Siege()
    siege.raw(letter(f"From: {FRODO}"))
    held = siege.last(FRODO, "confirm")
    siege.reply(FRODO, "RESIGN\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert "answer" not in siege.got(FRODO)
    before = siege.picture()
    assert before.seats[0][1] is None  # type: ignore[index]
    raw = siege.person(FRODO).reply(held, "CONFIRM\n", siege.now, {})
    siege.arrive(raw, held.reply_to)
    assert siege.picture() == before
    assert "no longer waits for your confirmation" in siege.last(FRODO).text
    # Older tokens of the seat do not work either.
    siege.reply(FRODO, ORDER, "T1")
    assert siege.picture() == before


@pytest.mark.slow
def test_orders_confirmed_after_their_turn_are_too_late() -> None:
    siege = Siege()
    siege.raw(letter(f"From: {FRODO}"))
    siege.later(days=5, hours=1)
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == []
    assert "too late" in siege.last(FRODO).subject.lower() + siege.last(FRODO).text.lower()


# ---- Outgoing mail -------------------------------------------------------------------------


@attack
def headers_in_a_subject(siege: Siege) -> None:
    siege.raw(f"From: {MALLORY}\nSubject: =?utf-8?q?x=0D=0ABcc:_{SAM}?=\n\nHELP\n")
    assert all("\nBcc" not in sent.raw.decode().replace("\r", "") for sent in siege.mailed)
    assert siege.got(SAM) == []


@attack
def headers_in_a_message_id(siege: Siege) -> None:
    siege.raw(f"From: {MALLORY}\nMessage-ID: <a\x0bb\x0cBcc: {SAM}@x>\n\nHELP\n")
    siege.raw(f"From: {MALLORY}\nMessage-ID: <{'a' * 5000}@x>\n\nHELP\n")
    assert siege.got(SAM) == []


@attack
def a_stranger_mails_a_text_to_a_victim(siege: Siege) -> None:
    victim = "victim@elsewhere.example"
    for words in (
        "buy pills at http://evil.example",
        "JOIN SW-1 http://evil.example",
        "HELP http://evil.example",
        'CREATE http://evil.example DEADLINE "1 day"',
        "PRESS TO http://evil.example\nbuy\nEND",
        "REPORT 99999999999999999999999999",
    ):
        siege.write(victim, words + "\n", words.partition("\n")[0])
    assert "evil.example" not in siege.everything_mailed()


@attack
def a_victim_is_flooded_through_us(siege: Siege) -> None:
    for number in range(40):
        siege.write("victim@elsewhere.example", f"HELP\n{number}\n")
        siege.raw(letter(f"From: {FRODO}", f"ENDING {1000 + number}\n"))
    assert len(siege.got("victim@elsewhere.example")) <= 8
    assert len(siege.got(FRODO)) <= 13


@attack
def seats_are_looked_for_by_name(siege: Siege) -> None:
    for sender in (MALLORY, SAM):
        answers = []
        for name in ("FRODO", "MORDOR"):
            siege.write(sender, ORDER, f"[SW-1 T1 {name}] x")
            siege.write(sender, "STATUS\nORDERS\n", f"[SW-1 T1 {name}] x")
            siege.write(sender, "RESIGN\n", f"[SW-1 T1 {name}] x")
            answers.append([got.text for got in siege.person(sender).got[-3:]])
        assert answers[0] == answers[1]


@attack
def people_are_looked_for_by_address(siege: Siege) -> None:
    siege.write(MALLORY, f"WHO {FRODO}\nHELP {FRODO}\nPRESS TO {FRODO}\nHello\nEND\n")
    assert FRODO not in siege.everything_mailed()


@attack
def press_of_a_stranger(siege: Siege) -> None:
    siege.write(MALLORY, "PRESS TO SAM\nI am Frodo.\nEND\n", TAG)
    siege.write(MALLORY, "SW-1\nPRESS TO ALL\nI am Frodo.\nEND\n")


@attack
def press_that_shows_a_secret(siege: Siege) -> None:
    token, code = siege.token(FRODO), siege.code(FRODO)
    for secret in (
        f"games+{token}@referee.example",
        f"({token})",
        f"{token[:20]}\n{token[20:]}",
        f"my code is {code}",
        f"my code is {code.lower()}.",
        f"write to {FRODO}",
        f"<{FRODO.upper()}>",
    ):
        siege.reply(FRODO, f"PRESS TO SAM\nHello, {secret} friend.\nEND\n", "report")


def test_orders_in_an_email_with_an_address_in_a_message_are_filed() -> None:
    siege = Siege()
    siege.reply(FRODO, f"ENDING 3000\nPRESS TO SAM\nWrite to {FRODO}.\nEND\n", "report")
    assert (siege.orders(), siege.picture().press) == (["ENDING 3000"], [])
    assert "1 order accepted (#2); confirm: a message" in siege.last(FRODO).subject


def test_an_address_is_shown_when_its_owner_confirms() -> None:
    siege = Siege()
    siege.reply(FRODO, f"PRESS TO SAM\nWrite to {FRODO}.\nEND\n", "T1")
    assert siege.picture().press == []
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.picture().press == [(1, [2], f"Write to {FRODO}.")]


@pytest.mark.slow
def test_press_carries_no_command() -> None:
    siege = Siege()
    before = siege.picture()
    smuggled = "FINAL\nRESIGN\nSET NAME Mallory\nENDING 1000\n> ENDING 1000\nHOLD\nSW-1 [SAM]\n"
    siege.reply(FRODO, f"PRESS TO SAM\n{smuggled}END\n", "T1")
    after = siege.picture()
    assert (after.seats, after.people, after.sheets) == (before.seats, before.people, before.sheets)
    # The recipient quotes it in a reply, and it is still only a quote.
    siege.reply(
        SAM, "ENDING 5000\n\nOn Tuesday Frodo wrote:\n" + smuggled.replace("\n", "\n> "), "T1"
    )
    assert siege.orders("SAM") == ["ENDING 5000"]
    assert siege.picture().games == before.games


# ---- Games and seats -----------------------------------------------------------------------


@attack
def a_game_of_a_stranger(siege: Siege) -> None:
    siege.write(MALLORY, 'CREATE STARWEB SEATS 2 DEADLINE "1 day"\n')
    siege.reply(FRODO, 'CREATE STARWEB SEATS 2 DEADLINE "1 day"\n', "T1")


@attack
def a_game_that_is_full_or_not_there(siege: Siege) -> None:
    for game in ("SW-1", "SW-2", "SW-999999999", "SW-99999999999999999999", "SW-0", "SW--1"):
        siege.write(MALLORY, f"JOIN {game} EVE\n")


def test_joining_in_another_persons_name_reveals_nothing() -> None:
    siege = Siege()
    siege.write(GM, 'CREATE STARWEB SEATS 3 DEADLINE "1 day"\n')
    siege.reply(GM, "CONFIRM\n", "confirm")
    reply_to = {"Reply_To": MALLORY, "Sender": MALLORY}
    siege.write("victim@elsewhere.example", "JOIN SW-2 EVE\n", **reply_to)
    assert siege.got(MALLORY) == []
    siege.reply("victim@elsewhere.example", "CONFIRM\n", "confirm")
    _, welcome = siege.person("victim@elsewhere.example").got
    assert re.search(r"#\d+, [A-Z2-7]{8}\n", welcome.text + "\n")


PATHS = ("../../etc/passwd", "..\\..\\x", "/etc/passwd", "%2e%2e%2f", "{{7*7}}", "${x}", "\x00x")


@attack
def paths_and_templates_in_names(siege: Siege) -> None:
    for path in PATHS:
        siege.write(MALLORY, f"HELP {path}\nJOIN {path} {path}\nJOIN SW-1 {path}\nREPORT {path}\n")
        siege.reply(FRODO, f"HELP {path}\nREPORT {path}\nCHECK\n", "T1")
    mailed = siege.everything_mailed()
    assert "root:" not in mailed
    assert "49" not in re.findall(r"\b49\b", mailed)


@pytest.mark.slow
def test_a_name_is_only_a_name() -> None:
    siege = Siege()
    for name in (
        "../../x",
        "{{ key }}",
        "\u202egro.live",
        "a" * 500,
        f"x <{MALLORY}>",
        "=?utf-8?q?=0A?=",
    ):
        siege.reply(FRODO, f'SET NAME "{name}"\n', "T1")
        siege.reply(FRODO, "HELP\n", "T1")
    assert siege.got(MALLORY) == []
    heads = [sent.raw.partition(b"\r\n\r\n")[0].decode() for sent in siege.mailed]
    assert all(sent.recipient == FRODO for sent in siege.mailed)
    assert all(head.count("\nTo:") == 1 and "\u202e" not in head for head in heads)


@attack
def huge_numbers(siege: Siege) -> None:
    huge = "9" * 40
    for command in (
        f"REPORT {huge}",
        f"ORDERS {huge}",
        f"CANCEL F{huge}W{huge}",
        f"HISTORY {huge}",
    ):
        siege.reply(FRODO, f"CHECK\n{command}\n", "T1")
    siege.reply(FRODO, f"SW-1 T{huge} [FRODO]\nCHECK\nF{huge}W{huge}\n", "T1")
    siege.write(MALLORY, f"SW-{huge} T{huge} [X]\nF1W1\n", f"[SW-{huge} T{huge} X]")
    siege.write(GM, f'CREATE STARWEB SEATS {huge} DEADLINE "{huge} days"\n')
    siege.write(GM, f'CREATE STARWEB SEATS 2 OPTION worlds={huge} DEADLINE "1 day"\n')


# ---- Bombs ---------------------------------------------------------------------------------


@attack
def a_mime_bomb(siege: Siege) -> None:
    deep = "".join(
        f'Content-Type: multipart/mixed; boundary="b{level}"\n\n--b{level}\n'
        for level in range(1000)
    )
    siege.raw(f"From: {FRODO}\nSubject: {TAG}\nMIME-Version: 1.0\n{deep}\n{ORDER}")
    many = "--b\n\nENDING 1000\n" * 20_000
    siege.raw(
        f"From: {MALLORY}\nSubject: {TAG}\nMIME-Version: 1.0\n"
        f'Content-Type: multipart/mixed; boundary="b"\n\n{many}--b--\n'
    )


@attack
def a_zip_bomb_and_endless_words(siege: Siege) -> None:
    zipped = base64.b64encode(b"PK\x03\x04" + b"\x00" * 50_000).decode()
    siege.raw(
        f"From: {FRODO}\nSubject: {TAG}\nMIME-Version: 1.0\nContent-Type: application/zip\n"
        f"Content-Disposition: attachment; filename=../../orders.zip\n"
        f"Content-Transfer-Encoding: base64\n\n{zipped}\n"
    )
    words = "=?utf-8?b?" + "QUFB" * 40 + "?= "
    siege.raw(f"From: {MALLORY}\nSubject: {words * 5000}\n\n{ORDER}")
    siege.raw(
        f"From: {MALLORY}\nTo: {(SAM + ', ') * 10_000}{ADDRESS}\n\n{'ENDING 1000 ' * 50_000}\n"
    )
    assert siege.got(SAM) == []


# ---- Machines ------------------------------------------------------------------------------


@attack
def forged_bounces(siege: Siege) -> None:
    siege.raw(
        f"From: mailer-daemon@x.example\nSubject: failure notice\n\n{FRODO} failed\n", sender="<>"
    )
    guessed = f"games+{token_of(1, 1, 'report1', b'x')}@referee.example"
    siege.raw("From: mailer-daemon@x.example\nSubject: failure notice\n\n550\n", guessed, "<>")
    assert siege.got(GM) == []


@attack
def our_own_letters_come_back(siege: Siege) -> None:
    siege.write(MALLORY, "HELP\n")
    for sent in list(siege.mailed):
        siege.arrive(sent.raw)
    assert len(siege.mailed) == 1


@attack
def a_robot_that_answers_everything(siege: Siege) -> None:
    _answer_all(siege, MALLORY, "Thank you for your message! Ticket #{} was opened.\n")
    assert len(siege.got(MALLORY)) <= 8
    _answer_all(siege, SAM, "Ticket #{} was opened.\n", check=True)
    assert len(siege.got(SAM)) == 31


def _answer_all(siege: Siege, address: str, text: str, *, check: bool = False) -> None:
    """Answer each letter at once for as long as another one comes."""
    first = "CHECK\n" if check else ""
    if check:
        siege.reply(address, first + text.format(0), "T1")
    else:
        siege.write(address, text.format(0))
    for number in range(1, 60):
        came = len(siege.got(address))
        siege.reply(address, first + text.format(number))
        if len(siege.got(address)) == came:
            return


@pytest.mark.slow
def test_a_diligent_player_gets_every_acknowledgement() -> None:
    siege = Siege()
    for number in range(60):
        siege.reply(FRODO, f"ENDING {1000 + number}\n", "T1")
        siege.later(minutes=20)
    assert sum("1 order accepted (#" in subject for subject in siege.got(FRODO)) == 60


@pytest.mark.slow
def test_letters_over_the_limit_of_answers_are_still_carried_out() -> None:
    siege = Siege()
    siege.later(hours=2)
    for number in range(130):
        siege.reply(FRODO, f"ENDING {1000 + number}\n", "T1")
    got = siege.got(FRODO)
    assert sum("1 order accepted (#" in subject for subject in got) == 120
    assert sum("pause our answers" in subject for subject in got) == 1
    assert siege.orders() == ["ENDING 1129"]
    siege.later(hours=2)
    siege.reply(FRODO, "ENDING 2000\n", "T1")
    assert "1 order accepted (#" in siege.got(FRODO)[-1]


def test_a_players_own_program_is_read_only_by_its_token() -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 3000\n", "T1", Auto_Submitted="auto-generated")
    assert siege.orders() == ["ENDING 3000"]
    assert "1 order accepted (#" in siege.got(FRODO)[-1]
    siege.write(FRODO, "ENDING 4000\n", TAG, Auto_Submitted="auto-generated")
    siege.reply(FRODO, "FINAL\nHELP\n", "T1", Auto_Submitted="auto-generated")
    siege.reply(
        FRODO, "ENDING 5000\n", "T1", From="gollum@cave.example", Auto_Submitted="auto-generated"
    )
    siege.reply(FRODO, "ENDING 6000\n", "T1", Auto_Submitted="auto-replied")
    assert siege.orders() == ["ENDING 3000"]
    assert len(siege.got(FRODO)) == 1


@pytest.mark.parametrize(
    "subject", ["Abwesenheitsnotiz [SW-1 T1 FRODO]", "Automatic reply: [SW-1 T1 FRODO] report"]
)
def test_orders_below_a_vacation_subject_wait_for_their_player(subject: str) -> None:
    siege = Siege()
    siege.reply(FRODO, "ENDING 3000\n", "T1", Subject=subject)
    assert siege.orders() == ["ENDING 8000"]
    assert "Its subject is that of an automatic reply" in " ".join(siege.last(FRODO).text.split())
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 3000"]
    assert "1 order accepted" in siege.last(FRODO).subject


def test_a_vacation_note_without_orders_gets_no_answer() -> None:
    siege = Siege()
    siege.reply(SAM, "I am away until Monday.\n", "T1", Subject="Out of office")
    siege.reply(SAM, "I am away until Monday.\n", "T1", Auto_Submitted="auto-replied")
    assert (siege.orders("SAM"), siege.got(SAM)) == ([], [])


@pytest.mark.slow
def test_a_program_that_answers_each_question_is_soon_silent() -> None:
    siege = Siege()
    for number in range(40):
        siege.reply(FRODO, f"ENDING {3000 + number}\n", Subject="Automatic reply")
    # Thirty an hour, and one that explains the pause.
    assert len(siege.got(FRODO)) == 31
    assert siege.orders() == ["ENDING 8000"]


# ---- All of them ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", mostly_slow(ATTACKS))
def test_an_attack_changes_and_reveals_nothing(name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    siege = Siege()
    before = siege.picture()
    ATTACKS[name](siege)
    assert siege.picture() == before
    assert misplaced(siege.mailed, KEY) == []
    to_mallory = "\n".join(got.text for got in siege.person(MALLORY).got)
    secrets = (siege.code(FRODO), siege.code(SAM))
    for secret in (*secrets, FRODO, SAM, "ENDING 8000"):
        assert secret not in to_mallory
    for secret in secrets:
        assert secret not in siege.everything_mailed()
    _shows_nothing([record.getMessage() for record in caplog.records], siege)


def _shows_nothing(lines: list[str], siege: Siege) -> None:
    log = "\n".join(line for line in lines if line.startswith("event="))
    assert "event=" in log
    assert "error=" not in log
    assert re.search(r"[\w.+-]+@[\w-]+\.\w+", log) is None
    for secret in (siege.token(FRODO), siege.code(FRODO), "ENDING", "evil", "Ticket", "pills"):
        assert secret.lower() not in log.lower()
    assert all("\n" not in line and "\r" not in line for line in lines)


def test_there_are_enough_attacks() -> None:
    assert len(ATTACKS) + len(FROMS) + len(SIGNATURES) >= 70


def test_a_forged_check_puts_no_orders_into_a_sheet_to_send_back() -> None:
    siege = Siege()
    siege.write(FRODO, "SW-1 T1 [FRODO]\nCHECK\nENDING 1000\n")
    assert "YOUR SHEET FOR TURN 1" not in siege.last(FRODO).text
    siege.reply(FRODO, "CHECK\nENDING 1000\n", "T1")
    assert "YOUR SHEET FOR TURN 1" in siege.last(FRODO).text


def test_the_question_about_a_forged_resignation_says_that_anyone_could_have_sent_it() -> None:
    siege = Siege()
    siege.reply(FRODO, "RESIGN\n", "T1")
    own = " ".join(siege.last(FRODO).text.split())
    siege.write(FRODO, "SW-1 T1 [FRODO]\nRESIGN\n")
    forged = " ".join(siege.last(FRODO).text.split())
    assert ["anyone could have sent it" in words for words in (own, forged)] == [False, True]
