"""Decoding: the hash that identifies copies of a letter, and the limits of the header."""

import tracemalloc

import pytest

from referee.letters.incoming.decode import body_hash, decode
from tests.support.seen import own_text

HEAD = b"From: Frodo <frodo@shire.example>\nSubject: [SW-1 T2] orders\nMessage-ID: <a@x>\n"


def test_a_copy_has_the_same_hash_whatever_its_envelope_and_wrapping() -> None:
    first = _hash(HEAD + b"\nF3W5 F4W6\n\n> quoted\n")
    again = _hash(
        b"Received: from elsewhere\n" + HEAD.replace(b"[SW-1", b"Re: [SW-1").replace(b"a@x", b"b@x")
        + b"Content-Transfer-Encoding: base64\n\nRjNXNSAgRjRXNg==\n"
    )  # fmt: skip
    assert again == first


def test_other_words_or_another_sender_have_another_hash() -> None:
    first = _hash(HEAD + b"\nF3W5\n")
    assert _hash(HEAD + b"\nF3W6\n") != first
    assert _hash(HEAD.replace(b"frodo", b"sam") + b"\nF3W5\n") != first
    assert _hash(HEAD.replace(b"T2", b"T3") + b"\nF3W5\n") != first


def test_a_header_is_found_in_any_case() -> None:
    letter = decode(HEAD + b"X-Thing: =?utf-8?q?f=C3=BCnf?=\n\nF3W5\n")
    assert letter.header("x-THING") == "fünf"
    assert letter.header("X-Other") == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [b"a:\n", b" \n", b"a\n", b"x" * 60 + b"\n", b"a:" + b"b" * 9000 + b"\n"]
)
def test_a_head_without_end_takes_little_memory(line: bytes) -> None:
    raw = HEAD + line * (4_000_000 // len(line))
    tracemalloc.start()
    try:
        letter = decode(raw)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert letter.subject == "[SW-1 T2] orders"
    assert most < 8 * len(raw)


def test_behind_a_head_that_is_cut_the_body_is_read() -> None:
    head = HEAD + b"X-Long: yes\n" * 60_000 + b"From: <sam@shire.example>\n"
    letter = decode(head + b"\nF3W5\n")
    assert [mailbox.address for mailbox in letter.senders] == ["frodo@shire.example"]
    assert letter.text == "F3W5"


def _hash(raw: bytes) -> str:
    letter = decode(raw)
    return body_hash(letter, own_text(letter.text))


def test_a_letter_that_is_signed_opaquely_is_not_called_encrypted() -> None:
    kind = b'Content-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\n\nAAAA'
    (refused,) = decode(b"From: a@b.example\n" + kind).refused
    assert refused.reason.startswith("The letter is signed in a form that hides its text.")


def test_a_part_of_a_digest_is_a_letter_of_somebody_else() -> None:
    head = b"From: a@b.example\nContent-Type: multipart/digest; boundary=b\n\n--b\n"
    for part in (b"From: c@d.example\n\nW7B1I\n", b"\nFrom: c@d.example\n\nW7B1I\n"):
        assert decode(head + part + b"--b--\n").text == ""
