"""Attacks with letters that a mail provider signed: they prove only what is signed."""

from collections.abc import Sequence

import pytest

from referee.desk.reception import intake
from referee.domain.mail_transfer import IncomingMail
from referee.store.letter_states import InboxState
from referee.testing.conversation import ADDRESS
from tests.attacks.siege import FRODO, SAM, Siege
from tests.attacks.test_costs import Clocked, newest
from tests.letters.signing import COVERED, Names, sealed, signed, with_tag
from tests.support.examples import mostly_slow

DOMAIN = "shire.example"
SEALER = "list.example"
SERVER = "mx.referee.example"
OTHERS = [name for name in COVERED if name != b"to"]
PASS = f"{SERVER}; dkim=pass header.d={DOMAIN} header.s=s"
RESULTS = f"Authentication-Results: {PASS}\r\n".encode()
ORDER = "ENDING 1000\r\n"


def typed(head: str = "", body: str = ORDER, to: str = ADDRESS, number: int = 1) -> bytes:
    """Return a letter as Frodo's mail program writes it, before it is signed."""
    fields = [
        f"From: {FRODO}",
        f"To: {to}",
        "Subject: [SW-1 T1 FRODO] orders",
        "Date: Tue, 01 Sep 2026 12:00:00 +0000",
        f"Message-ID: <{number}@{DOMAIN}>",
        *filter(None, head.split("\n")),
    ]
    return ("\r\n".join(fields) + f"\r\n\r\n{body}").encode()


def by_frodo(raw: bytes, covered: Sequence[bytes] = COVERED) -> bytes:
    return signed(raw, DOMAIN, covered=covered)


def by_list(raw: bytes, covered: Sequence[bytes] = (*COVERED, b"dkim-signature")) -> bytes:
    return sealed(raw, SEALER, PASS, covered=covered)


def besieged(names: Names | None = None) -> Siege:
    """Return a siege that knows the sealer's key, and Frodo's unless there are other *names*."""
    known = (names if names is not None else Names().key(DOMAIN)).key(SEALER)
    return Siege(known, authserv_ids=frozenset({SERVER}), sealers=frozenset({SEALER}))


TO_SAM = by_frodo(typed(to=SAM))
UNSIGNED_TO = by_frodo(typed(to=SAM), OTHERS).replace(SAM.encode(), ADDRESS.encode())
OURS = f"To: {ADDRESS}\r\n".encode()
HTML = by_frodo(typed("Content-Type: text/html", "Maybe:<!--\r\nENDING 1000\r\n-->\r\n"))
QUOTED = by_frodo(
    typed("Content-Transfer-Encoding: quoted-printable", "Do not send=\r\nENDING 1000\r\n")
)
PARTS = (
    "--b\r\nContent-Type: text/plain\r\n\r\nHow are you?\r\n"
    "--c\r\n\r\nENDING 1000\r\n--c--\r\n--b--\r\n"
)
NESTED = by_frodo(typed('Content-Type: multipart/mixed; boundary="b"', PARTS))
CHECKED_BY_US: dict[str, bytes] = {
    # Written to somebody else.
    "to_sam": TO_SAM,
    "to_is_rewritten": UNSIGNED_TO,
    "a_second_to_is_added": OURS + TO_SAM,
    "a_cc_is_added": OURS.replace(b"To", b"Cc") + TO_SAM,
    # Written by somebody else whom the domain knows.
    "by_another_user": with_tag(typed(), DOMAIN, b"i=sam@shire.example"),
    # Read otherwise than it was written.
    "html_read_as_text": HTML.replace(b"text/html", b"text/plain"),
    "html_without_its_type": HTML.replace(b"Content-Type: text/html\r\n", b""),
    "an_encoding_taken_away": QUOTED.replace(
        b"Content-Transfer-Encoding: quoted-printable\r\n", b""
    ),
    "another_boundary": NESTED.replace(b'"b"', b'"c"'),
    "parts_read_as_text": NESTED.replace(b"Content-Type: multipart", b"X: multipart", 1),
    "a_signed_type_and_another": b"Content-Type: text/plain\r\n"
    + by_frodo(
        typed("Content-Type: text/html", "<!--\r\nENDING 1000\r\n-->x\r\n"),
        [*COVERED, b"content-type"],
    ),
    # Too old, too new, or without what shows that it is no copy.
    "four_days_old": by_frodo(typed().replace(b"01 Sep", b"28 Aug")),
    "from_next_week": by_frodo(typed().replace(b"01 Sep", b"07 Sep")),
    "without_a_date": by_frodo(typed().replace(b"Date: Tue", b"X: Tue")),
    "a_date_that_is_none": by_frodo(typed().replace(b"01 Sep", b"99 Sep")),
    "without_a_message_id": by_frodo(typed().replace(b"Message-ID", b"X-ID")),
}
CHECKED_BY_OTHERS: dict[str, bytes] = {
    "to_sam_by_results": RESULTS + TO_SAM,
    "to_sam_by_a_seal": by_list(TO_SAM),
    "another_user_by_results": RESULTS + with_tag(typed(), DOMAIN, b"i=sam@shire.example"),
    "to_is_rewritten_by_results": RESULTS + UNSIGNED_TO,
    "to_is_rewritten_by_a_seal": by_list(UNSIGNED_TO),
    "a_second_to_is_added_by_results": RESULTS + OURS + TO_SAM,
    "a_cc_is_added_by_results": RESULTS + OURS.replace(b"To", b"Cc") + TO_SAM,
    "no_signature_by_results": RESULTS + typed(),
    "another_selector_by_results": RESULTS.replace(b"header.s=s", b"header.s=t")
    + by_frodo(typed()),
    "another_signature_by_results": RESULTS.replace(b"header.s=s", b"header.b=AAAAAAAA")
    + by_frodo(typed()),
    "one_of_two_signatures_by_results": RESULTS
    + b"DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; b=AAAAAAAA;\r\n"
    + b" h=from:to:cc:subject:date:message-id\r\n"
    + UNSIGNED_TO,
    "spf_alone_by_results": RESULTS.replace(b"dkim=pass", b"dkim=none; spf=pass") + typed(),
    "html_read_as_text_by_results": RESULTS + HTML.replace(b"text/html", b"text/plain"),
    "four_days_old_by_results": RESULTS + by_frodo(typed().replace(b"01 Sep", b"28 Aug")),
    "a_length_by_results": RESULTS + signed(typed(body=""), DOMAIN, length=True) + ORDER.encode(),
    "a_seal_that_leaves_the_signature_open": by_list(by_frodo(typed()), COVERED),
    "a_seal_that_leaves_to_open": by_list(by_frodo(typed()), [*OTHERS, b"dkim-signature"]),
}


@pytest.mark.parametrize("name", mostly_slow(CHECKED_BY_US))
def test_what_is_not_signed_proves_nothing(name: str) -> None:
    siege = besieged()
    before = siege.picture()
    siege.arrive(CHECKED_BY_US[name])
    assert siege.picture() == before


@pytest.mark.parametrize("name", mostly_slow(CHECKED_BY_OTHERS))
def test_others_prove_only_what_is_signed(name: str) -> None:
    siege = besieged(Names())
    before = siege.picture()
    siege.arrive(CHECKED_BY_OTHERS[name])
    assert siege.picture() == before


GMAIL = b"to:subject:message-id:date:from:mime-version:from:to:cc:subject:date:message-id:reply-to"
PROVEN: dict[str, bytes] = {
    "plain": by_frodo(typed()),
    "cc_to_us": by_frodo(typed(f"Cc: {ADDRESS}", to=SAM), [*COVERED, b"cc"]),
    "as_gmail_signs_it": by_frodo(
        typed(
            'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="00a"',
            "--00a\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nENDING 1000\r\n"
            "--00a\r\nContent-Type: text/html; charset=UTF-8\r\n\r\n<div>ENDING 1000</div>\r\n"
            "--00a--\r\n",
        ),
        GMAIL.split(b":"),
    ),
    "as_icloud_signs_it": by_frodo(
        typed(
            "MIME-Version: 1.0\nContent-Type: text/plain; charset=us-ascii\n"
            "Content-Transfer-Encoding: quoted-printable"
        ),
        b"from:content-type:mime-version:subject:message-id:to:date".split(b":"),
    ),
    "html_with_a_signed_type": by_frodo(
        typed("Content-Type: text/html; charset=utf-8", "<p>ENDING 1000</p>\r\n"),
        [*COVERED, b"content-type", b"content-transfer-encoding"],
    ),
    "three_days_old": by_frodo(typed().replace(b"01 Sep 2026 12", b"29 Aug 2026 13")),
}
PROVEN_BY_OTHERS: dict[str, bytes] = {
    "by_results": RESULTS + by_frodo(typed()),
    "by_results_without_a_selector": RESULTS.replace(b" header.s=s", b"") + by_frodo(typed()),
    "by_a_seal": by_list(by_frodo(typed())),
}


@pytest.mark.parametrize("name", mostly_slow(PROVEN))
def test_a_letter_that_is_signed_to_us_counts_at_once(name: str) -> None:
    siege = besieged()
    siege.arrive(PROVEN[name])
    assert siege.orders() == ["ENDING 1000"]


@pytest.mark.parametrize("name", mostly_slow(PROVEN_BY_OTHERS))
def test_a_signature_to_us_counts_if_others_checked_it(name: str) -> None:
    siege = besieged(Names())
    siege.arrive(PROVEN_BY_OTHERS[name])
    assert siege.orders() == ["ENDING 1000"]


# As Outlook.com signs it: without To.
def test_a_letter_that_proves_too_little_is_asked_about() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed(), b"from:date:subject:message-id:content-type".split(b":")))
    assert siege.orders() == ["ENDING 8000"]
    asked = " ".join(siege.last(FRODO, "confirm").text.split())
    assert "no signature of your mail provider that shows that you wrote all of it to us" in asked
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 1000"]


# ---- Copies --------------------------------------------------------------------------------


def test_a_copy_with_another_content_type_changes_nothing() -> None:
    siege = besieged()
    raw = by_frodo(typed(body="ENDING 1000\r\n\r\n> ENDING 2000\r\n"))
    siege.arrive(raw)
    siege.reply(FRODO, "ENDING 3000\n", "T1")
    for kind in (b"text/html", b"text/plain; format=flowed", b"text/plain; charset=utf-16"):
        siege.arrive(b"Content-Type: " + kind + b"\r\n" + raw)
    siege.arrive(raw)
    assert siege.orders() == ["ENDING 3000"]


def test_a_signed_reply_to_the_plain_address_is_found_by_its_message_id() -> None:
    siege = besieged()
    message = siege.last(FRODO, "report").message_id
    raw = typed(f"In-Reply-To: {message}").replace(b"[SW-1 T1 FRODO] ", b"")
    siege.arrive(raw)
    assert siege.orders() == ["ENDING 8000"]
    siege.arrive(by_frodo(raw.replace(b"<1@", b"<2@"), (*COVERED, b"in-reply-to")))
    assert siege.orders() == ["ENDING 1000"]


def test_a_proven_copy_is_known_by_its_message_id() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    siege.reply(FRODO, "ENDING 3000\n", "T1")
    # The text is another one, as it is after a list has added its lines.
    siege.arrive(by_frodo(typed(body=ORDER + "Best wishes\r\n")))
    assert siege.orders() == ["ENDING 3000"]
    assert "received before" in siege.got(FRODO)[-1]


def test_a_program_that_repeats_its_message_id_loses_no_letter() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    later = typed(body="ENDING 2000\r\n").replace(b"12:00:00", b"12:30:00")
    siege.arrive(by_frodo(later))
    assert siege.orders() == ["ENDING 2000"]
    # A copy of either is still one.
    siege.reply(FRODO, "ENDING 3000\n", "T1")
    siege.arrive(by_frodo(typed()))
    siege.arrive(b"Content-Type: text/plain; charset=us-ascii\r\n" + by_frodo(later))
    assert siege.orders() == ["ENDING 3000"]


def test_another_persons_letter_is_not_the_twin_of_a_proven_one() -> None:
    siege = besieged()
    siege.reply(SAM, "ENDING 2000\n", "T1", Message_ID=f"<1@{DOMAIN}>")
    siege.write(FRODO, "ENDING 4000\n", "[SW-1 T1 FRODO]", Message_ID=f"<1@{DOMAIN}>")
    siege.arrive(by_frodo(typed()))
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 1000"]


def test_an_old_letter_does_not_count_turns_later() -> None:
    siege = besieged()
    raw = by_frodo(typed())
    siege.later(days=4)
    siege.arrive(raw)
    assert siege.orders() == ["ENDING 8000"]


# ---- Name servers --------------------------------------------------------------------------


def test_only_two_signatures_of_a_letter_are_checked() -> None:
    names = Names().dmarc(DOMAIN, "v=DMARC1; p=none")
    siege = Siege(names)
    raw = typed()
    for number in range(10):
        raw = signed(raw, f"mail{number}.{DOMAIN}")
    siege.arrive(raw)
    keys = [f"s._domainkey.mail{number}.{DOMAIN}" for number in (9, 8)]
    assert list(dict.fromkeys(names.asked)) == [f"_dmarc.{DOMAIN}", *keys]


def test_a_letter_that_has_cost_too_much_asks_no_name_server() -> None:
    names = Names().key(DOMAIN)
    siege = Clocked(names)
    siege.tick = 3.0
    siege.arrive(by_frodo(typed()))
    assert newest(siege) is InboxState.QUARANTINED
    arrival = IncomingMail("smtp", "1", by_frodo(typed(number=2)), siege.now)
    assert not intake.is_proven(siege.store, siege.daemon.app.site, arrival)
    assert names.asked == []
    siege.tick = 0.0
    assert intake.is_proven(siege.store, siege.daemon.app.site, arrival)


# ---- Replies that are not signed -------------------------------------------------------------


def stolen(siege: Siege, number: int, sender: str = FRODO, head: str = "") -> bytes:
    """Return what somebody sends who has seen a report to Frodo, in Frodo's name."""
    return typed(head, "ENDING 3000\r\n", siege.last(FRODO, "T1").reply_to, number).replace(
        FRODO.encode(), sender.encode()
    )


def arrive(siege: Siege, raw: bytes) -> None:
    siege._arrive(raw, siege.last(FRODO, "T1").reply_to)


@pytest.mark.sampled
@pytest.mark.parametrize("sender", [FRODO, FRODO.replace("@", "+x@")])
@pytest.mark.parametrize(
    "forged", ["", "DKIM-Signature: v=1; a=rsa-sha256; d=shire.example; s=s; b=AAAA; h=from"]
)
def test_a_stolen_reply_address_is_no_proof_if_its_owner_signs(sender: str, forged: str) -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    arrive(siege, stolen(siege, 2, sender, forged))
    assert siege.orders() == ["ENDING 1000"]
    said = " ".join(siege.last(FRODO, "confirm").text.split())
    assert "Your mail provider signed your last emails, but not this one." in said


def test_a_signed_reply_counts_at_once() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    arrive(siege, by_frodo(stolen(siege, 2)))
    assert siege.orders() == ["ENDING 3000"]


def test_a_reply_counts_while_no_name_server_answers() -> None:
    names = Names().key(DOMAIN)
    siege = besieged(names)
    siege.arrive(by_frodo(typed()))
    raw = by_frodo(stolen(siege, 2))
    names.records[f"s._domainkey.{DOMAIN}"] = None  # type: ignore[assignment]
    arrive(siege, raw)
    assert siege.orders() == ["ENDING 3000"]


# As somebody who also reads their emails with a program that sends by another server.
def test_an_owner_of_an_unsigned_email_is_asked_once() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    arrive(siege, stolen(siege, 2))
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 3000"]
    siege.arrive(by_frodo(typed(number=3)))
    assert siege.orders() == ["ENDING 1000"]
    arrive(siege, stolen(siege, 4))
    assert siege.orders() == ["ENDING 3000"]


def test_another_address_of_theirs_need_not_sign() -> None:
    siege = besieged()
    siege.reply(FRODO, "SET SECOND ADDRESS f@bag.example\n", "T1")
    siege.reply(FRODO, "CONFIRM\n", "second address")
    siege.reply("f@bag.example", "CONFIRM\n")
    siege.arrive(by_frodo(typed()))
    arrive(siege, stolen(siege, 2, "f@bag.example"))
    assert siege.orders() == ["ENDING 3000"]


FLOWED = "MIME-Version: 1.0\nContent-Type: text/plain; format=flowed"
ALTERNATIVES = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"'
TWO_VERSIONS = (
    "--b\r\nContent-Type: text/plain\r\n\r\nCHECK:\r\nW7B1I\r\n"
    "--b\r\nContent-Type: text/html\r\n\r\n<p>CHECK:<br>W7B1I</p>\r\n--b--\r\n"
)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("head", "body", "old", "new"),
    [
        (FLOWED, "Leave out my old \r\nENDING 1000\r\n", b"old \r\n", b"old\r\n"),
        (FLOWED, "Here you are:\r\nW7B1I\r\nFINAL\r\n", b":\r\nW7B1I\r\n", b": \r\nW7B1I \r\n"),
        (FLOWED, "Shall I send the word \r\nCLEAR\r\n", b"word \r\n", b"word\r\n"),
        (ALTERNATIVES, TWO_VERSIONS, b"plain\r\n\r\n", b"plain\r\n \r\n"),
        (
            "Content-Transfer-Encoding: quoted-printable",
            "Not this:=\r\nENDING 1000\r\n",
            b":=\r\n",
            b":= \r\n",
        ),
    ],
)
def test_blanks_that_no_signature_covers_change_nothing(
    head: str, body: str, old: bytes, new: bytes
) -> None:
    fields = (*COVERED, b"content-type", b"content-transfer-encoding")
    raw = signed(typed(head, body), DOMAIN, covered=fields, body=b"relaxed")
    changed = raw.replace(old, new)
    assert changed != raw
    pictures = []
    for first, second in ((raw, changed), (changed, raw)):
        siege = besieged()
        siege.arrive(first)
        siege.arrive(second)
        pictures.append((siege.orders(), siege.picture(), siege.got(FRODO)))
    assert pictures[0] == pictures[1]


def test_a_program_whose_player_signs_is_asked_about_until_they_confirm() -> None:
    siege = besieged()
    siege.arrive(by_frodo(typed()))
    arrive(siege, stolen(siege, 2, head="Auto-Submitted: auto-generated"))
    assert siege.orders() == ["ENDING 1000"]
    siege.reply(FRODO, "CONFIRM\n", "confirm")
    assert siege.orders() == ["ENDING 3000"]
    siege.arrive(by_frodo(typed(number=3)))
    arrive(siege, stolen(siege, 4, head="Auto-Submitted: auto-generated"))
    assert siege.orders() == ["ENDING 3000"]
