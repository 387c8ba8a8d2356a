"""Pages: valid without guessing, small, and safe whatever people have written."""

import re
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from referee.pages.document import (
    Document,
    EmailTo,
    Episode,
    Folded,
    Lines,
    Link,
    Links,
    PageFile,
    Picture,
    Section,
    Told,
    Words,
)
from referee.pages.drawing import MOST_OCTETS, Entry, Feed, draw, draw_feed
from referee.rules.views import Prose, Table, Verbatim
from tests.support.examples import examples
from tests.support.strict_html import StrictHtml

NOON = datetime(2026, 9, 1, 12, tzinfo=UTC)
HOSTILE = "</title></style><script>alert(1)</script>\"' onerror=x <!-- ]]> &amp; \x00\x1b \u202e"
ATOM = "{http://www.w3.org/2005/Atom}"


def page(*sections: Section, title: str = "SW-1", path: str = "sw-1/index.html") -> list[PageFile]:
    feeds = (Link("games.xml", "Feed", "application/atom+xml"),)
    trail = (Link("index.html", "All games"),)
    document = Document(path, title, ("First.",), sections, trail, feeds=feeds)
    return list(draw(document, "The Referee"))


def read(file: PageFile) -> StrictHtml:
    return StrictHtml(file.content.decode())


def every_kind(text: str) -> list[Section]:
    table = Table((text, "Score"), ((text, "10"), ("SAM", "9")), text)
    return [
        Section(Prose(text, text), text),
        Section(table),
        Section(Folded(text, table)),
        Section(Verbatim(text, text)),
        Section(Lines((text,)), text),
        Section(Links((Link("sw-1/turn-1.html", text, text),))),
        Section(Words(text, text)),
        Section(Picture("sw-1/map-1-1.svg", text or "map")),
        Section(EmailTo("games@example.org", text, text)),
        Section(
            Episode(
                text,
                (Link("sw-1/turn-1.html", text),),
                (Told(text),),
                (Told(text, "loss", "#8ec5ff"),),
            )
        ),
    ]


def test_every_kind_of_piece_is_valid_whoever_wrote_it() -> None:
    (file,) = page(*every_kind(HOSTILE), title=HOSTILE)
    shown = read(file)
    assert shown.text.count("<script>alert(1)</script>") > 10
    assert b"<script" not in file.content
    assert "\x00" not in shown.text
    assert "\u202e" not in shown.text
    assert [*dict.fromkeys(shown.links)] == [
        "#main",
        "../index.html",
        "../sw-1/turn-1.html",
        "../sw-1/map-1-1.svg",
        shown.links[4],
        "../games.xml",
    ]
    assert shown.links[4].startswith("mailto:games@example.org?body=%3C%2Ftitle%3E")


@examples(60)
@given(st.text(max_size=60))
def test_any_words_come_out_as_words(text: str) -> None:
    (file,) = page(*every_kind(text), title=text)
    shown = read(file)
    visible = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    assert visible in " ".join(shown.text.split())
    assert {*shown.pictures} == {"../sw-1/map-1-1.svg"}


def test_the_policy_allows_the_style_and_no_script() -> None:
    (file,) = page()
    style = re.search(r"<style>(.*)</style>", file.content.decode(), re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    assert read(file).metas["Content-Security-Policy"] == (
        f"default-src 'none'; style-src 'sha256-{digest}'; img-src 'self'; base-uri 'none'; "
        "form-action 'none'"
    )


def test_a_page_that_would_be_too_large_goes_on_on_others() -> None:
    long = [f"{number}: {HOSTILE[:48]}" for number in range(1500)]
    rows = tuple((line, str(number)) for number, line in enumerate(long))
    sections = (
        Section(Table(("Line", "Number"), rows, "All"), "Table"),
        Section(Verbatim("\n".join(long)), "Verbatim"),
        Section(Lines(tuple(long)), "Lines"),
        Section(Words("SAM", " ".join(long)), "Words"),
        Section(Words("FRODO", '"' * 100_000)),
        Section(Prose(" ".join(long)), "Prose"),
    )
    files = page(*sections)
    assert len(files) > 4
    assert max(len(file.content) for file in files) <= MOST_OCTETS
    assert [file.path for file in files[:3]] == [
        "sw-1/index.html",
        "sw-1/index-page-2.html",
        "sw-1/index-page-3.html",
    ]
    shown = [read(file) for file in files]
    assert "../sw-1/index-page-2.html" in shown[0].links
    assert "../sw-1/index.html" in shown[1].links
    text = "".join(each.text for each in shown)
    # Each line is in the table, verbatim, in the list, in the words and in the prose.
    assert [text.count(f"{number}: <") for number in (0, 1234, 1499)] >= [5, 5, 5]
    assert text.count('"') >= 100_000
    heads = [head for each in shown for head in each.heads if head != "SW-1"]
    assert heads == ["Table", "Verbatim", "Lines", "Words", "Prose"]


def test_a_page_without_pieces_is_one_page() -> None:
    assert [file.path for file in page()] == ["sw-1/index.html"]


def test_the_feed_has_what_atom_requires() -> None:
    entries = (
        Entry("sw-1/ended", f"SW-1: {HOSTILE}", "sw-1/index.html", NOON, HOSTILE),
        Entry("sw-2/open", "SW-2: join now", "sw-2/index.html", NOON, "SW-2 takes players."),
    )
    file = draw_feed(
        Feed("Games & more", "example.org", "https://example.org/", entries), "games.xml"
    )
    feed = ElementTree.fromstring(file.content)
    assert feed.tag == f"{ATOM}feed"
    assert feed.findtext(f"{ATOM}title") == "Games & more"
    assert feed.findtext(f"{ATOM}id") == "tag:example.org,2000:games"
    assert feed.findtext(f"{ATOM}updated") == "2026-09-01T12:00:00Z"
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "Games & more"
    links = {each.get("rel"): each.get("href") for each in feed.findall(f"{ATOM}link")}
    assert links == {
        "alternate": "https://example.org/",
        "self": "https://example.org/games.xml",
    }
    found = feed.findall(f"{ATOM}entry")
    assert [each.findtext(f"{ATOM}id") for each in found] == [
        "tag:example.org,2000:sw-1/ended",
        "tag:example.org,2000:sw-2/open",
    ]
    for each in found:
        assert each.findtext(f"{ATOM}title")
        assert each.findtext(f"{ATOM}summary")
        assert each.findtext(f"{ATOM}updated") == "2026-09-01T12:00:00Z"
        link = each.find(f"{ATOM}link")
        assert link is not None
        assert str(link.get("href")).startswith("https://example.org/sw-")


def test_a_feed_without_entries_is_valid_too() -> None:
    file = draw_feed(Feed("Games", "example.org", "https://example.org/", ()), "games.xml")
    feed = ElementTree.fromstring(file.content)
    assert feed.findtext(f"{ATOM}updated") == "2000-01-01T00:00:00Z"
