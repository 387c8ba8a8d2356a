"""Letters with attached files."""

from dataclasses import replace
from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from referee.letters.incoming.decode import decode
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.unread_notices import Quarantined
from tests.letters.notices import LETTERS
from tests.letters.outgoing.test_compose import COMPOSER, ENVELOPE

FILES = (
    OutgoingFile("map.svg", "image/svg+xml", b"<svg>\r\n</svg>"),
    OutgoingFile("map.png", "image/png", bytes(range(256)) * 5),
    OutgoingFile("report.json", "application/json", "{\"name\": \"Jörg\"}\n".encode()),
)  # fmt: skip


def read(raw: bytes) -> EmailMessage:
    return BytesParser(policy=policy.default).parsebytes(raw)


def test_files_come_after_the_words_exactly_as_they_were() -> None:
    raw = COMPOSER.compose(LETTERS["report"], ENVELOPE, FILES)
    message = read(raw)
    assert message.get_content_type() == "multipart/mixed"
    words, *files = message.iter_parts()
    assert isinstance(words, EmailMessage)
    assert words.get_content_type() == "text/plain"
    text = COMPOSER.words(LETTERS["report"]).text
    assert words.get_content().splitlines() == text.splitlines()
    found = []
    for file in files:
        assert isinstance(file, EmailMessage)
        content = file.get_payload(decode=True)
        assert isinstance(content, bytes)
        found.append(OutgoingFile(file.get_filename(""), file.get_content_type(), content))
    assert tuple(found) == FILES
    assert message.defects == []
    assert max(map(len, raw.split(b"\r\n"))) <= 78


def test_our_own_reader_reads_only_the_text() -> None:
    plain = decode(COMPOSER.compose(LETTERS["report"], ENVELOPE))
    letter = decode(COMPOSER.compose(LETTERS["report"], ENVELOPE, FILES))
    assert letter.text == plain.text
    assert [file.name for file in letter.attachments] == ["map.svg", "map.png", "report.json"]


def test_only_a_letter_with_files_has_parts() -> None:
    notice = Quarantined("Q-1")
    assert read(COMPOSER.compose(notice, ENVELOPE)).get_content_type() == "text/plain"
    raw = COMPOSER.compose(notice, ENVELOPE, FILES)
    assert raw == COMPOSER.compose(notice, replace(ENVELOPE), FILES)
    assert raw.count(b"MIME-Version: 1.0") == 1
