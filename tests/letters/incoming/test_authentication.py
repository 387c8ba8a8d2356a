"""Authentication of letters: valid signatures, and forgeries that look like them."""

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from threading import Event
from types import FrameType
from typing import Any, Final

import dkim
import pytest
from dkim.canonicalization import Relaxed, strip_trailing_whitespace
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.effort import Effort
from referee.errors import LetterTooCostly
from referee.letters.incoming.authentication import (
    Authenticator,
    Passed,
    Unanswered,
    has_one_reading,
    is_aligned,
    read_results,
    squeezed,
)
from referee.letters.incoming.decode import decode, text_of_fields
from tests.letters.signing import COVERED, PUBLIC, RECORD, Names, sealed, signed, with_tag
from tests.support.examples import examples

RAW = (
    b"From: Frodo <frodo@shire.example>\r\nTo: games@referee.example\r\n"
    b"Subject: [SW-1 T1 FRODO]\r\nDate: Tue, 01 Sep 2026 12:00:00 +0000\r\n"
    b"Message-ID: <1@shire.example>\r\nContent-Type: text/plain\r\n\r\nF1W2\r\n"
)
PASS = "mx.referee.example; dkim=pass header.d=shire.example"
DMARC = "v=DMARC1; p=none"
NOON: Final = datetime(2026, 9, 1, 12, tzinfo=UTC)


FIELDS: Final = frozenset(name.decode() for name in COVERED)
NOTHING: Final = frozenset[str]()


def vouched(raw: bytes, names: Names, **more: Any) -> frozenset[str] | None:
    return Authenticator("games@referee.example", names, **more).vouch(raw, NOON)


def calls(function: Callable[..., object], work: Callable[[], object]) -> list[dict[str, Any]]:
    """Return the arguments of each call of the function by *work*."""
    called: list[dict[str, Any]] = []

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code is function.__code__:
            called.append(dict(frame.f_locals))

    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(None)
    return called


def shire() -> Names:
    return Names().key("shire.example")


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_the_signature_of_the_senders_domain_vouches(line_end: bytes) -> None:
    raw = signed(RAW, "shire.example").replace(b"\r\n", line_end)
    assert vouched(raw, shire()) == FIELDS


def test_a_plus_address_of_ours_is_ours() -> None:
    raw = RAW.replace(b"games@", b"games+s1-1-ack@")
    assert vouched(signed(raw, "shire.example"), shire()) == FIELDS


def test_a_header_can_have_hundreds_of_fields() -> None:
    assert vouched(b"X:\r\n" * 900 + signed(RAW, "shire.example"), shire()) == FIELDS


def test_of_two_signatures_one_is_enough() -> None:
    raw = signed(signed(RAW, "shire.example"), "list.example")
    assert vouched(raw, shire()) == FIELDS


def test_keys_of_domains_that_cannot_vouch_are_not_asked_for() -> None:
    names = Names()
    assert vouched(signed(RAW, "mordor.example"), names) == NOTHING
    assert names.asked == []


def test_what_a_signature_covers_is_what_its_sealers_cover_too() -> None:
    raw = signed(b"References: <0@x>\r\n" + RAW, "shire.example", covered=[*COVERED, b"references"])
    assert vouched(raw, shire()) == FIELDS | {"references"}
    names, sealers = Names().key("list.example"), frozenset({"list.example"})
    assert vouched(with_seal(raw), names, sealers=sealers) == FIELDS


FORGED: Final = (
    b"DKIM-Signature: a=rsa-sha256; d=shire.example; s=s; bh=AAAA; b=AAAA;\r\n"
    b" h=from:to:subject:date:message-id\r\n"
)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ((FORGED,), 5),
        ((FORGED,) * 90, 5),
        ((FORGED, FORGED.replace(b"date:", b"date:content-type:")) * 45, 8),
        ((FORGED.replace(b"shire", b"mordor"),) * 90, 0),
        ((FORGED.replace(b"s=s;", b""),) * 90, 0),
    ],
)
def test_many_signatures_take_no_more_readings_than_two(
    fields: Sequence[bytes], expected: int
) -> None:
    raw = b"".join(fields) + RAW
    assert len(calls(text_of_fields, lambda: vouched(raw, shire()))) == expected
    assert len(calls(dkim.DKIM.verify, lambda: vouched(raw, shire()))) <= 2


def test_an_email_that_has_cost_too_much_is_not_checked() -> None:
    names, ticks = shire(), count(step=3)
    effort = Effort(lambda: next(ticks), lambda: 0)
    with pytest.raises(LetterTooCostly):
        Authenticator("games@referee.example", names).vouch(SIGNED, NOON, effort)
    assert names.asked == []
    other = SIGNED.replace(b"shire.example;", b"mordor.example;")
    assert Authenticator("games@referee.example", names).vouch(other, NOON, effort) == NOTHING


@pytest.mark.parametrize("blank", [b" ", b"\t", b" \t"])
def test_no_run_of_blanks_is_searched_for_its_end(blank: bytes) -> None:
    text = b"F1W2" + blank * 5000 + b"F1W3" + blank * 5000
    raw = with_tag(RAW.replace(b"F1W2", text), "shire.example", b"i=@shire.example")
    assert vouched(raw, shire()) == FIELDS
    searched = calls(strip_trailing_whitespace, lambda: vouched(raw, shire()))
    assert [each["content"] for each in searched] == [b"F1W2 F1W3\r\n"]


@given(st.lists(st.sampled_from([b" ", b"\t", b"\r", b"\n", b"\r\n", b"x"])).map(b"".join))
def test_a_squeezed_text_has_the_same_relaxed_form(body: bytes) -> None:
    assert Relaxed.canonicalize_body(squeezed(body)) == Relaxed.canonicalize_body(body)


UNSIGNED: dict[str, bytes] = {
    "no signature": RAW,
    "the text was changed": signed(RAW, "shire.example").replace(b"F1W2", b"F1W3"),
    "the subject was changed": signed(RAW, "shire.example").replace(b"[SW-1 T1", b"[SW-2 T1"),
    "a second subject": b"Subject: x\r\n" + signed(RAW, "shire.example"),
    "a second From": b"From: sam@shire.example\r\n" + signed(RAW, "shire.example"),
    "two addresses in From": signed(RAW.replace(b"<fr", b"<x@y.z>, <fr"), "shire.example"),
    "another domain": signed(RAW, "mordor.example"),
    "a domain that ends alike": signed(RAW, "evilshire.example"),
    "a top-level domain": signed(RAW, "example"),
    "a length, and more text": signed(RAW, "shire.example", length=True) + b"F9W9\r\n",
    "a length alone": signed(RAW, "shire.example", length=True),
    "the subject not covered": signed(RAW, "shire.example", covered=[b"from", b"date"]),
    "To not covered": signed(RAW, "shire.example", covered=COVERED[:1] + COVERED[2:]),
    "a Cc that is not covered": b"Cc: sam@shire.example\r\n" + signed(RAW, "shire.example"),
    "written to somebody else": signed(RAW.replace(b"games@", b"sam@"), "shire.example"),
    "another user of the domain": with_tag(RAW, "shire.example", b"i=sam@shire.example"),
    "expired": with_tag(RAW, "shire.example", b"x=1600000000"),
    "a tag twice": signed(RAW, "shire.example").replace(b"v=1;", b"v=1; d=shire.example;", 1),
    "lines put above the header": b"A" * 90 + b": x\r\n F9W9\r\n" + signed(RAW, "shire.example"),
    "lines put above the text": signed(RAW, "shire.example").replace(
        b"Content-Type: text", b"A" * 90 + b": x\r\n F9W9\r\nContent-Type: text"
    ),
    "header without end": b"X: y\r\n" * 40_000 + signed(RAW, "shire.example"),
    "too many fields": b"X:\r\n" * 1_000 + signed(RAW, "shire.example"),
    "no header at all": b"\r\n" + signed(RAW, "shire.example"),
    "nothing": b"",
}


@pytest.mark.parametrize("why", UNSIGNED)
def test_nobody_vouches_for(why: str) -> None:
    names = shire().key("mordor.example").key("evilshire.example").key("example")
    assert vouched(UNSIGNED[why], names) == NOTHING


def test_blanks_and_lines_of_a_text_are_no_header() -> None:
    text = b"Hello," + b" " * 100 + b"Frodo\r\nF1W2" + b"\r\na line" * 300
    raw = signed(RAW.replace(b"F1W2", text), "shire.example")
    assert vouched(raw, shire()) == FIELDS


def test_a_header_that_others_find_longer_is_not_parsed_by_others() -> None:
    folded = b"\r\n".join([b"Content-Type: x", b"From x", *[b" folded"] * 30, b"", b"F1W2"])
    raw = SIGNED.replace(b"Content-Type: text/plain\r\n\r\nF1W2", folded)
    servers = frozenset({"mx.referee.example"})
    assert calls(dkim.rfc822_parse, lambda: vouched(raw, shire(), authserv_ids=servers)) == []


@pytest.mark.parametrize("tag", [b"x=4000000000", b"i=@shire.example", b"i=FRODO@shire.example"])
def test_a_tag_that_changes_nothing_is_no_hindrance(tag: bytes) -> None:
    assert vouched(with_tag(RAW, "shire.example", tag), shire()) == FIELDS


@pytest.mark.parametrize(
    "record",
    [
        "v=DKIM1; k=rsa; p=",
        "v=DKIM1; t=y; p=" + PUBLIC,
        "v=DKIM1; k=rsa; p=" + PUBLIC[:100],
        "v=DKIM1; k=rsa; p=AAAA",
        "v=DKIM2; p=" + PUBLIC,
        "v=DKIM1; k=ed25519; p=" + PUBLIC,
        RECORD + "; n=" + "x" * 1000,
        "hello",
        "",
    ],
)
def test_a_key_that_is_none_vouches_for_nothing(record: str) -> None:
    assert vouched(signed(RAW, "shire.example"), Names().key("shire.example", record)) == NOTHING


@pytest.mark.parametrize(
    ("signer", "domain", "dmarc", "expected"),
    [
        ("shire.example", "shire.example", None, True),
        ("SHIRE.example.", "shire.example", "v=DMARC1; adkim=s", True),
        ("shire.example", "mail.shire.example", None, True),
        ("shire.example", "mail.shire.example", "v=DMARC1; adkim=s", False),
        ("mail.shire.example", "shire.example", None, False),
        ("mail.shire.example", "shire.example", DMARC, True),
        ("mail.shire.example", "shire.example", "v=DMARC1; adkim=s", False),
        ("evil.co.uk", "co.uk", "v=DMARC1; psd=y", False),
        ("evil.co.uk", "co.uk", None, False),
        ("example", "shire.example", DMARC, False),
        ("ashire.example", "shire.example", DMARC, False),
        ("mordor.example", "shire.example", DMARC, False),
        ("", "shire.example", DMARC, False),
        ("evil.com", "com", DMARC, False),
    ],
)
def test_alignment(signer: str, domain: str, dmarc: str | None, *, expected: bool) -> None:
    names = Names().dmarc(domain, dmarc) if dmarc is not None else Names()
    assert is_aligned(signer, domain, names) is expected


@pytest.mark.parametrize(
    ("hours", "expected"),
    [(0, FIELDS), (72, FIELDS), (73, NOTHING), (-24, FIELDS), (-25, NOTHING)],
)
def test_an_old_letter_proves_nothing(hours: int, expected: frozenset[str]) -> None:
    raw = signed(RAW, "shire.example")
    authenticator = Authenticator("games@referee.example", shire())
    assert authenticator.vouch(raw, NOON + timedelta(hours=hours)) == expected


def test_of_two_policies_neither_counts() -> None:
    names = Names({"_dmarc.shire.example": [DMARC, DMARC]})
    assert is_aligned("mail.shire.example", "shire.example", names) is False


SIGNED: Final = signed(RAW, "shire.example")


def with_seal(raw: bytes, results: str = PASS) -> bytes:
    return sealed(raw, "list.example", results, covered=[*COVERED, b"dkim-signature"])


def test_a_trusted_sealer_vouches_for_what_it_saw() -> None:
    raw = with_seal(SIGNED)
    names = Names().key("list.example")
    assert vouched(raw, names, sealers=frozenset({"list.example"})) == FIELDS


SEALED: dict[str, tuple[bytes, str]] = {
    "a stranger's seal": (with_seal(SIGNED), "other.example"),
    "a changed text": (with_seal(SIGNED).replace(b"F1W2", b"F1W3"), "list.example"),
    "changed results": (
        with_seal(SIGNED, "m; dkim=fail").replace(b"dkim=fail", b"dkim=pass"),
        "list.example",
    ),
    "no pass": (with_seal(SIGNED, PASS.replace("=pass", "=fail")), "list.example"),
    "another domain's pass": (
        with_seal(SIGNED, PASS.replace("d=shire", "d=mordor")),
        "list.example",
    ),
    "a From that is not sealed": (
        sealed(SIGNED, "list.example", PASS, covered=[b"subject"]),
        "list.example",
    ),
    "no signature": (with_seal(RAW), "list.example"),
}


@pytest.mark.parametrize("why", SEALED)
def test_a_seal_vouches_not_with(why: str) -> None:
    raw, sealer = SEALED[why]
    names = Names().key("list.example")
    assert vouched(raw, names, sealers=frozenset({sealer})) == NOTHING


START = SIGNED.partition(b"b=")[2][:8].decode()


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        (f"Authentication-Results: {PASS}", FIELDS),
        (f"Authentication-Results: MX.referee.example 1;\r\n {PASS[20:]}", FIELDS),
        (f"Authentication-Results: {PASS} header.i=@shire.example header.b={START}", FIELDS),
        (f"Authentication-Results: {PASS} header.b=AAAAAAAA", NOTHING),
        (f"Authentication-Results: {PASS} header.s=s", FIELDS),
        (f"Authentication-Results: {PASS} header.s=t", NOTHING),
        (
            "Authentication-Results: mx.referee.example; dkim=pass header.i=@shire.example",
            FIELDS,
        ),
        (f"Authentication-Results: {PASS.replace('mx.', 'evil.')}", NOTHING),
        (f"Authentication-Results: x.example; none\r\nAuthentication-Results: {PASS}", NOTHING),
        (f"Authentication-Results: {PASS.replace('=pass', '=fail')}", NOTHING),
        (f"X-Authentication-Results: {PASS}", NOTHING),
        (
            "Authentication-Results: mx.referee.example; spf=pass smtp.mailfrom=shire.example",
            NOTHING,
        ),
        ("Authentication-Results: dkim=pass header.d=shire.example", NOTHING),
    ],
)
def test_only_the_topmost_results_of_a_trusted_server_count(
    results: str, expected: frozenset[str]
) -> None:
    raw = f"{results}\r\n".encode() + SIGNED
    assert vouched(raw, Names(), authserv_ids=frozenset({"mx.referee.example"})) == expected
    assert vouched(raw, Names()) == NOTHING


@pytest.mark.parametrize(
    ("value", "server", "signers"),
    [
        ("mx.example; dkim=pass (good (or so)) header.d=a.example", "mx.example", ("a.example",)),
        # As Microsoft writes it: no server, and a comment in each result.
        (
            "spf=pass (IP is 1.2.3) smtp.mailfrom=a.b; dkim=pass (ok) header.d=a.example;dmarc=x",
            "",
            ("a.example",),
        ),
        ("i=1; mx.example; dkim=pass header.d=a.example", "mx.example", ("a.example",)),
        (
            "mx.example; dkim=pass header.d=a.example; dkim=pass header.d=b.example",
            "mx.example",
            ("a.example", "b.example"),
        ),
        ("mx.example; dkim=none", "mx.example", ()),
        ("mx.example; dkim=passed header.d=a.example", "mx.example", ()),
        ("mx.example; dkim=fail (dkim=pass header.d=a.example)", "mx.example", ()),
        (
            'mx.example; spf=pass smtp.mailfrom="; dkim=pass header.d=a.example; "@b',
            "mx.example",
            (),
        ),
        ("mx.example; dkim=pass header.d=b.example header.d=a.example", "mx.example", ()),
        ('mx.example; dkim=pass header.i="x"@a.example', "mx.example", ("a.example",)),
        ('mx.example; dkim=pass header.d="a".example', "mx.example", ()),
        ("mx.example; spf=pass (never closed; dkim=pass header.d=a.example", "mx.example", ()),
        ("", "", ()),
        (";;;", "", ()),
    ],
)
def test_results_are_read(value: str, server: str, signers: tuple[str, ...]) -> None:
    found = read_results(value)
    assert (found.server, tuple(each.domain for each in found.passed)) == (server, signers)


def test_results_name_the_signature() -> None:
    value = (
        "mx; dkim=pass header.d=a.example header.s=K1 header.b=AbC;"
        ' dkim=pass header.i=@b header.b="x"'
    )
    assert read_results(value).passed == (Passed("a.example", "k1", "AbC"), Passed("b"))


@given(st.text(max_size=300))
def test_any_text_may_be_results(value: str) -> None:
    assert all(each.domain for each in read_results(value).passed)


MUTATIONS: list[Callable[[bytes, int], bytes]] = [
    lambda raw, at: raw[:at] + raw[at + 1 :],
    lambda raw, at: raw[:at] + b"\x00" + raw[at:],
    lambda raw, at: raw[:at] + b"\r\n" + raw[at:],
    lambda raw, at: raw[:at] + b"=;" + raw[at:],
    lambda raw, at: raw[:at] + b"9" * 5000 + raw[at:],
]


@examples(150)
@given(st.integers(0, 1600), st.sampled_from(MUTATIONS), st.booleans())
def test_a_damaged_signature_never_raises(
    at: int,
    change: Callable[[bytes, int], bytes],
    arc: bool,
) -> None:
    raw = with_seal(SIGNED) if arc else SIGNED
    names = shire().key("list.example")
    result = vouched(change(raw, at % len(raw)), names, sealers=frozenset({"list.example"}))
    assert result in (NOTHING, FIELDS)


def test_without_a_name_server_no_signature_counts() -> None:
    assert Authenticator("games@referee.example").vouch(SIGNED, NOON) is None
    assert Authenticator("games@referee.example").vouch(RAW, NOON) == NOTHING


@pytest.mark.parametrize("raw", [SIGNED, with_seal(SIGNED)])
def test_a_letter_waits_for_the_answer_of_a_name_server(raw: bytes) -> None:
    asked: list[str] = []

    def slowly(name: str) -> Sequence[str]:
        asked.append(name)
        raise Unanswered(Event())

    sealers = frozenset({"list.example"})
    authenticator = Authenticator("games@referee.example", slowly, sealers=sealers)
    with pytest.raises(Unanswered):
        authenticator.vouch(raw, NOON)
    assert asked == ["s._domainkey.shire.example"]


def test_what_a_trusted_server_reports_needs_no_name_server() -> None:
    names = Names()
    raw = b"Authentication-Results: " + PASS.encode() + b"\r\n" + SIGNED
    servers = frozenset({"mx.referee.example"})
    assert vouched(raw, names, authserv_ids=servers) == FIELDS
    assert names.asked == []


OPEN = frozenset({"content-type", "content-transfer-encoding"})
PLAIN = "text/plain"
FLOWED = "text/plain; format=flowed"
MIXED = 'multipart/mixed; boundary="b"'
ALTERNATIVE = 'multipart/alternative; boundary="b"'
HTML = "text/html"
PARTS = "--b\nContent-Type: text/plain\n\nF1W2\n--b\nContent-Type: text/html\n\n<p>F1W2\n--b--\n"


def letter(kind: str, body: str, encoding: str = "7bit") -> bytes:
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}".encode()


@pytest.mark.parametrize(
    ("kind", "encoding", "body", "expected"),
    [
        (PLAIN, "7bit", "F1W2\nF3W4\n", True),
        (PLAIN, "quoted-printable", "F1W2\nF3W4\n", True),
        (FLOWED, "7bit", "F1W2\n> F3W4\n", True),
        (PLAIN + "; charset=utf-8", "8bit", "Größe\nF1W2\n", True),
        (PLAIN, "7bit", "F1W2 \nF3W4\n", False),
        (PLAIN, "7bit", "F1W2=\nF3W4\n", False),
        (PLAIN, "7bit", "x=3D1\n", False),
        (HTML, "7bit", "<p>F1W2</p>\n", False),
        (PLAIN, "7bit", "<p>F1W2</p>\n", False),
        (ALTERNATIVE, "7bit", PARTS, True),
        (MIXED, "7bit", PARTS, True),
        (PLAIN, "7bit", PARTS, False),
        (MIXED.replace('"b"', '"c"'), "7bit", PARTS + "--c\n\nF9W9\n--c--\n", False),
        (MIXED, "7bit", f"A preamble.\n{PARTS}", False),
        (MIXED, "7bit", "--b\n\nF1W2\n--b--\n", False),
    ],
)
def test_a_text_has_one_reading(kind: str, encoding: str, body: str, *, expected: bool) -> None:
    assert has_one_reading(letter(kind, body, encoding), OPEN) is expected


def test_a_signed_type_has_one_reading() -> None:
    raw = letter(HTML, "<p>F1W2</p>\n")
    assert has_one_reading(raw, frozenset()) is True
    assert has_one_reading(raw, frozenset({"content-transfer-encoding"})) is True
    encoded = letter(HTML, "<p class=3D>F1W2</p>=\n")
    assert has_one_reading(encoded, frozenset({"content-transfer-encoding"})) is False


PIECES = ("F1W2\n", "F1W2 \n", "> F9W9\n", "=\n", "=46\n", "\n", "-- \n", "Content-Type: x\n")


@examples(300)
@given(
    st.lists(st.sampled_from(PIECES), max_size=6).map("".join),
    st.sampled_from([PLAIN, FLOWED, FLOWED + "; delsp=yes"]),
    st.sampled_from([PLAIN, FLOWED, HTML, ALTERNATIVE, MIXED, PLAIN + "; charset=utf-16"]),
    st.sampled_from(["7bit", "quoted-printable"]),
    st.sampled_from(["7bit", "quoted-printable", "base64"]),
)
def test_nobody_can_change_a_text_that_has_one_reading(
    body: str, kind: str, other_kind: str, encoding: str, other_encoding: str
) -> None:
    changed = letter(other_kind, body, other_encoding)
    if has_one_reading(changed, OPEN):
        written = decode(letter(kind, body, encoding)).text
        read = decode(changed).text
        assert [line.rstrip() for line in read.split("\n")] == [
            line.rstrip() for line in written.split("\n")
        ]
