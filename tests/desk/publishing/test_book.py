"""The books of a game that has ended: what each reader finds in theirs, and what nobody does."""

import io
import posixpath
import re
import zipfile
from collections.abc import Mapping
from contextlib import closing
from email import message_from_bytes, policy
from functools import cache
from html.parser import HTMLParser

import pytest

from referee.desk.base.told_turns import events_of
from referee.plugins import installed_rulesets
from referee.reports.symbols import PALETTE
from referee.rules.news import heard
from referee.rules.ruleset import Seat, Weight
from referee.store.games import games
from referee.testing.conversation import ADDRESS, Conversation
from tests.support.strict_html import StrictHtml

GM, FRODO, SAM = "gm@example.org", "frodo@shire.example", "sam@shire.example"
BILBO, ROSIE = "bilbo@rivendell.example", "rosie@bywater.example"
PRESS = "Shall we meet at the ford?"
READERS = (FRODO, BILBO, GM, ROSIE)

Book = Mapping[str, bytes]


class Told(Conversation):
    """A conversation that is only about some of its letters."""

    def _nothing_unseen(self) -> None:
        pass

    def say(self, who: str, text: str, *, to: str = "", confirmed: bool = False) -> None:
        """Send an email, and confirm it if it has to be."""
        verb = f"replies to {to}" if to else "writes"
        self.run(f"=== {who} {verb}\n\n{text}\n=== {who} gets mail")
        if confirmed:
            self.run(f"=== {who} replies\nCONFIRM\n=== {who} gets mail")

    def book(self, who: str) -> Book:
        """Return the files of the newest book that somebody got; none without a book."""
        for letter in reversed(self.person(who).got):
            message = message_from_bytes(letter.raw, policy=policy.default)
            for file in message.iter_attachments():
                if str(file.get_filename()).endswith("-book.zip"):
                    with zipfile.ZipFile(io.BytesIO(file.get_content())) as book:
                        return {name: book.read(name) for name in book.namelist()}
        return {}


@cache
def books() -> tuple[dict[str, Book], list[bytes]]:
    """Return the books of a game in which a seat changed hands, and all letters before its end."""
    with closing(Told(installed_rulesets())) as talk:
        talk.run("=== it is 2026-09-01 12:00 UTC")
        talk.say(GM, 'CREATE STARWEB SEATS 3 DEADLINE "1 day" OPTION introduced=yes early=0')
        talk.say(GM, "GM SW-1\nOBSERVERS ON DELAY 0 TURNS", confirmed=True)
        talk.say(GM, "GM SW-1\nASSIGN ROBOT HARD", confirmed=True)
        talk.say(FRODO, "JOIN SW-1 FRODO AS Empire Builder REAL NAME Frodo Baggins")
        talk.say(SAM, "JOIN SW-1 SAM AS Pirate REAL NAME Samwise Gamgee")
        talk.say(ROSIE, "OBSERVE SW-1", confirmed=True)
        first = next(e.text for e in talk.person(FRODO).got if "ORDERS YOU COULD SEND" in e.text)
        orders = re.findall(r"\bW\d+B10F\d+|\bF\d+W\d+", first)[:2]
        text = "\n".join((*orders, f"PRESS TO SAM\n{PRESS}\nEND\nFINAL"))
        talk.say(FRODO, text, to="T1")
        talk.run("=== 1 day pass")
        talk.say(FRODO, "FINAL", to="T2")
        talk.run("=== 1 day pass")
        talk.say(SAM, "RESIGN", to="T3", confirmed=True)
        talk.say(BILBO, "TAKEOVER SW-1", confirmed=True)
        talk.run("=== 2 days pass")
        before = [each.raw for each in talk.mailed]
        assert [who for who in READERS if talk.book(who)] == []
        talk.say(GM, "GM SW-1\nEND GAME", confirmed=True)
        talk.run("=== 1 hour passes")
        assert talk.book(SAM) == {}
        return {who: talk.book(who) for who in READERS}, before


class Links(HTMLParser):
    """The addresses in a page, and whether it has a script."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.found: list[str] = []
        self.scripts = 0
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]
        self.scripts += tag == "script"


def headings(page: bytes) -> list[str]:
    return re.findall(r"<h2><bdi>(.*?)</bdi></h2>", page.decode())


@pytest.mark.slow
@pytest.mark.parametrize("who", READERS)
def test_every_link_of_a_book_leads_to_a_file_in_it(who: str) -> None:
    book, reached = books()[0][who], {"index.html"}
    for path in sorted(path for path in book if path.endswith(".html")):
        page = Links(book[path])
        assert (path == "atlas.html") is (page.scripts > 0)
        for link in page.found:
            assert not link.startswith(("http", "/"))
            if not link.startswith("#") and path != "atlas.html":
                to = posixpath.normpath(posixpath.join(posixpath.dirname(path), link))
                assert to in book, (path, link)
                reached.add(to)
        if path != "atlas.html":
            StrictHtml(book[path].decode())
    assert reached == {*book}


@pytest.mark.slow
def test_a_player_finds_the_game_in_this_sequence() -> None:
    book = books()[0][FRODO]
    assert headings(book["index.html"]) == [
        "Points, turn by turn",
        "What you knew at the end",
        "The story",
        "Final standing",
        "Who was who",  # voice: ok
        "Your reports, as they were mailed",
        "Turn by turn",
    ]
    page = StrictHtml(book["index.html"].decode()).text
    assert re.search(r"StarWeb, 4 turns, 3 players\. You were FRODO, \w+ with \d+ points\.", page)
    assert "The true map" in page
    assert "your report · your map" in page
    for turn in range(1, 6):
        assert f"SW-1, turn {turn}, FRODO" in book[f"own/map-{turn}.svg"].decode()
        assert f"SW-1, turn {turn}<" in book[f"map-{turn}.svg"].decode()


@pytest.mark.slow
def test_everybody_who_played_a_seat_is_listed_with_the_turns() -> None:
    for who in (FRODO, GM):
        page = StrictHtml(books()[0][who]["index.html"].decode()).text
        assert "FRODO: Frodo Baggins" in page
        assert "SAM: Samwise Gamgee (turns 1 to 2), (no real name given, turns 3 to 4)" in page
        assert "(played by a hard robot)" in page
    # Nobody has sent SHARE PAGES YES.
    page = StrictHtml(books()[0][ROSIE]["index.html"].decode()).text
    assert "SAM: (no real name given, turns 1 to 2), (no real name given, turns 3 to 4)" in page


@pytest.mark.slow
def test_a_seat_has_the_same_colour_in_all_books() -> None:
    found = set()
    for book in books()[0].values():
        curve = book["curve.svg"].decode()
        names = re.findall(r'fill="(#\w+)" stroke="#16191d"/>\n<text[^>]*>(\w+) ', curve)
        found.add(tuple(sorted((name, colour) for colour, name in names)))
    (colours,) = found
    assert {colour for _, colour in colours} == set(PALETTE[:3])


@pytest.mark.slow
def test_an_observer_has_the_public_part_only() -> None:
    book = books()[0][ROSIE]
    assert [
        path for path in book if path.startswith(("own", "reports", "map", "atlas", "sw-1"))
    ] == []
    assert headings(book["index.html"])[0] == "Points, turn by turn"


@pytest.mark.slow
def test_no_book_has_words_of_others_addresses_codes_or_tokens() -> None:
    found, before = books()
    people = [GM, FRODO, SAM, BILBO, ROSIE, ADDRESS]
    tokens = {token for raw in before for token in re.findall(rb"\+([^@\s>]{6,})@", raw)}
    codes = {c for raw in before for c in re.findall(rb"security code[^:\n]{0,40}:\s*(\w{8})", raw)}
    assert len(tokens) > 5
    secrets = {*tokens, *codes, *(address.encode() for address in people)}
    for who, book in found.items():
        every = b"\n".join(book.values())
        assert [secret for secret in secrets if secret in every] == []
        # Sam has read it, and Bilbo has that seat now.
        assert (PRESS.encode() in every) is (who == BILBO)
        others = {FRODO: "SAM", BILBO: "FRODO"}.get(who, "")
        assert [path for path in book if others and others in path] == []


@pytest.mark.slow
def test_the_winners_of_a_draw_are_named_robots_last() -> None:
    with closing(Told(installed_rulesets())) as talk:
        talk.run("=== it is 2026-09-01 12:00 UTC")
        talk.say(GM, 'CREATE STAR_EMPIRES SEATS 3 DEADLINE "1 day"')
        talk.say(GM, "GM SE-1\nASSIGN ROBOT EASY", confirmed=True)
        talk.say(FRODO, "JOIN SE-1 FRODO")
        talk.say(SAM, "JOIN SE-1 SAM")
        talk.run("=== 1 day passes")
        talk.say(FRODO, "VOTE DRAW", to="T2")
        talk.say(SAM, "VOTE DRAW YES", to="T2")
        talk.run("=== 1 hour passes")
        page = StrictHtml(talk.book(FRODO)["index.html"].decode()).text
        assert re.search(r"The game is a draw between FRODO, SAM and \w+\.", page)


@pytest.mark.release
def test_the_story_has_the_two_heaviest_sentences_about_others_of_each_turn() -> None:
    with closing(Told(installed_rulesets())) as talk:
        talk.run("=== it is 2026-09-01 12:00 UTC")
        talk.say(GM, 'CREATE FISTFUL SEATS 2 DEADLINE "1 day"')
        talk.say(GM, "GM FP-1\nASSIGN ROBOT HARD", confirmed=True)
        talk.say(FRODO, "JOIN FP-1 FRODO")
        while not talk.book(FRODO):
            talk.say(FRODO, "FINAL", to="report")
            talk.run("=== 1 day passes")
        page = talk.book(FRODO)["index.html"].decode()
        with talk.store.read() as session:
            game = games.by_name(session, "FP-1")
            assert game is not None
            turns = [row for row in games.turns_of(session, game) if row.events]
            events = {row.number + 1: events_of(row) for row in turns}
    news = {
        f"Turn {turn}" if turn < max(events) else "After the last turn": sorted(
            (each for each in events[turn] if each.weight is not Weight.DETAIL),
            key=lambda each: each.weight,
        )
        for turn in events
    }
    _, *episodes = re.split(r"<h3>(.*?)</h3>", page.partition("<bdi>Final standing")[0])
    shown = {
        head: tuple(
            re.findall(r"<li[^>]*>(?:<svg.*?</svg> )?(.*?)</li>", part)
            for part in told.partition('<ul class="others">')[::2]
        )
        for head, told in zip(episodes[::2], episodes[1::2], strict=True)
    }
    assert shown == {
        head: (
            [each.text for each in heard(told, Seat(2))][:4],
            [each.told for each in told if each.told and each.audience == frozenset({Seat(1)})][:2],
        )
        for head, told in news.items()
        if told
    }
    assert any(elsewhere for _, elsewhere in shown.values())
