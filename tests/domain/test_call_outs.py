"""The forms of call-outs for chats, with names that try to format or to call."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from referee.domain.call_outs import LONGEST, CallOut, CallOutEvent, in_format

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOSTILE = "SW-1: @everyone <!channel> **[x](https://evil.example)** & <b>"
PAGE = "https://games.example.org/sw-1/"


def stored(text: str = HOSTILE, page: str = PAGE) -> bytes:
    return CallOut(
        CallOutEvent.RESOLVED, NOON, "SW-1", "StarWeb", 2, text, NOON, page=page
    ).as_json()


EXPECTED: dict[str, dict[str, Any]] = {
    "json": {
        "type": "turn.resolved",
        "timestamp": "2026-09-01T12:00:00+00:00",
        "data": {
            "game": "SW-1",
            "title": "StarWeb",
            "turn": 2,
            "text": HOSTILE,
            "deadline": "2026-09-01T12:00:00+00:00",
            "awaited": [],
            "others": 0,
            "page": PAGE,
        },
    },
    "discord": {
        "content": r"SW\-1\: \@everyone \<!channel\> \*\*\[x\]\(https\://evil.example\)\*\* & "
        rf"\<b\> {PAGE}",
        "allowed_mentions": {"parse": []},
    },
    "slack": {
        "text": "SW-1: @everyone &lt;!channel&gt; **[x](https://evil.example)** &amp; "
        f"&lt;b&gt; {PAGE}",
        "mrkdwn": False,
    },
    "matrix": {
        "text": f"{HOSTILE} {PAGE}",
        "html": "SW-1: @everyone &lt;!channel&gt; **[x](https://evil.example)** &amp; "
        f"&lt;b&gt; {PAGE}",
    },
}


@pytest.mark.parametrize("name", EXPECTED)
def test_a_form_formats_nothing_and_calls_nobody(name: str) -> None:
    assert json.loads(in_format(stored(), name)) == EXPECTED[name]


def test_a_text_is_never_longer_than_a_chat_takes() -> None:
    body = json.loads(in_format(stored("*" * 5000, page=""), "discord"))
    assert body["content"] == r"\*" * LONGEST
    assert 2 * LONGEST < 2000
