"""Bounces in the forms that mail servers of many kinds write."""

import pytest

from referee.letters.incoming.decode import decode
from referee.letters.incoming.screening import (
    Return,
    Screening,
    read_return,
    reported_sender,
    screen,
)

REPORT = (
    "From: mailer-daemon@x.example\nSubject: Undelivered Mail Returned to Sender\n"
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
    "--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: x\n\n{}\n--b--\n"
)
PLAIN = "From: mailer-daemon@x.example\nSubject: {}\n\n{}\n"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (REPORT.format("Action: failed\nStatus: 5.1.1"), Return.LASTING),
        (REPORT.format("action:Failed"), Return.LASTING),
        (REPORT.format("Action: delayed\nStatus: 4.4.1"), Return.PASSING),
        (REPORT.format("Action: relayed"), Return.PASSING),
        (REPORT.format("Action: delayed\n\nAction: failed"), Return.LASTING),
        (REPORT.format("Status: 4.2.2"), Return.PASSING),
        (REPORT.format("Status: 5.2.2"), Return.LASTING),
        (REPORT.format(""), Return.LASTING),
        # The servers are qmail, Exim, Exchange, and one that writes German.
        (PLAIN.format("failure notice", "Hi. This is qmail-send.\n<f@x>:\n550 no"), Return.LASTING),
        (PLAIN.format("Warning: message 1abc delayed 24 hours", "still trying"), Return.PASSING),
        (PLAIN.format("Undeliverable: report", "#550 5.1.1 RESOLVER.ADR ##"), Return.LASTING),
        (PLAIN.format("Unzustellbar: Zustellung verz\u00f6gert", ""), Return.PASSING),
        (PLAIN.format("Returned mail", "451 4.7.1 greylisted, come back"), Return.PASSING),
        ("", Return.LASTING),
    ],
)
def test_a_return_is_lasting_or_passing(raw: str, expected: Return) -> None:
    assert read_return(raw.encode()) is expected


COMPLAINT = (
    "From: feedback@isp.example\nSubject: abuse\n"
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n'
    "--b\n\nA complaint.\n--b\nContent-Type: message/feedback-report\n\n"
    "Feedback-Type: abuse\nOriginal-Mail-From: <games+s1-1-ack1-x@Referee.example>\n--b--\n"
)


def test_a_complaint_names_the_letter_it_is_about() -> None:
    raw = COMPLAINT.encode()
    assert screen(decode(raw), raw, "", "token") is Screening.COMPLAINT
    assert reported_sender(raw) == "games+s1-1-ack1-x@referee.example"
    assert reported_sender(REPORT.encode()) == ""


HOTMAIL = (
    "From: staff@hotmail.com\nSubject: complaint about message from 192.0.2.1\n"
    'Content-Type: multipart/mixed; boundary="b"\n\n'
    "--b\nContent-Type: message/rfc822\n\nX-HmXmrOriginalRecipient: frodo@hotmail.example\n"
    "Return-Path: <games+r1-0-ack1-x@Referee.example>\nSubject: report\n\nhello\n--b--\n"
)


def test_a_complaint_of_hotmail_tells_whose_letter_it_was() -> None:
    raw = HOTMAIL.encode()
    assert screen(decode(raw), raw, "", "token") is Screening.COMPLAINT
    assert reported_sender(raw) == "games+r1-0-ack1-x@referee.example"
