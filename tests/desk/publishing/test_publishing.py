"""What everyone reads on the pages, from the first call for players to a person who is forgotten.

Every step of these conversations also searches all pages for addresses, tokens and codes.
"""

from pathlib import Path

import pytest

from tests.support.publishing import Published, publishing
from tests.support.strict_html import StrictHtml

GM, FRODO, SAM = "gm@example.org", "frodo@shire.example", "sam@shire.example"
ROSIE = "rosie@bywater.example"
NAMES = ("Frodo Baggins", "Samwise Gamgee")
DIARY = "Sam believes everything that is said at the Green Dragon."
WON = ("FRODO has won with", "The game is a draw between FRODO and SAM.")
PRESS = "Shall we meet at the ford?"
CONVERSATIONS = Path(__file__).parents[2] / "conversations"


def say(talk: Published, who: str, text: str, *, to: str = "", confirmed: bool = False) -> None:
    """Send an email, and confirm it if it has to be; all answers count as read."""
    verb = f"replies to {to}" if to else "writes"
    talk.run(f"=== {who} {verb}\n\n{text}\n=== {who} gets mail")
    if confirmed:
        talk.run(f"=== {who} replies\nCONFIRM\n=== {who} gets mail")


def later(talk: Published, span: str) -> None:
    talk.run(f"=== {span} pass")


def shown(talk: Published, path: str) -> str:
    """Return the words of a page, which must be valid."""
    return StrictHtml(talk.pages()[path]).text


def begun(talk: Published) -> None:
    say(talk, GM, 'CREATE STARWEB SEATS 2 DEADLINE "2 days" OPTION introduced=yes early=0')
    say(talk, FRODO, "JOIN SW-1 FRODO AS Empire Builder REAL NAME Frodo Baggins")
    say(talk, SAM, "JOIN SW-1 SAM AS Empire Builder REAL NAME Samwise Gamgee")


def ended(talk: Published) -> None:
    """Play a turn, in which both write, and end the game."""
    begun(talk)
    for who, other in ((FRODO, "SAM"), (SAM, "FRODO")):
        text = f"PRESS TO {other}\n{PRESS} Yours, {who}\nEND\nDIARY\n{DIARY}\nEND"
        say(talk, who, text, to="T1")
        talk.run(f"=== {who} replies to confirm\nCONFIRM")
    later(talk, "2 days")
    say(talk, GM, "GM SW-1\nEND GAME", confirmed=True)


@pytest.mark.slow
def test_a_game_is_on_the_pages_as_long_as_anyone_can_know_of_it(tmp_path: Path) -> None:
    with publishing(tmp_path) as talk:
        say(talk, GM, 'CREATE STARWEB SEATS 2 DEADLINE "2 days"')
        assert "2 of 2 seats free" in shown(talk, "index.html")
        page = StrictHtml(talk.pages()["sw-1/index.html"])
        assert "JOIN SW-1 NAME" in page.text
        assert "mailto:games@referee.example?body=JOIN%20SW-1%20NAME" in page.links
        assert "Orders that arrive after the deadline do not count." in page.text

        say(talk, GM, "GM SW-1\nOPTION private=yes", confirmed=True)
        assert [*talk.pages()] == ["deadlines.ics", "games.xml", "index.html"]
        assert "SW-1" not in "".join(talk.pages().values())
        assert "sw-1" not in (tmp_path / ".referee-pages.json").read_text()

        say(talk, GM, "GM SW-1\nOPTION private=no", confirmed=True)
        assert "sw-1/index.html" in talk.pages()


@pytest.mark.slow
def test_a_running_game_shows_what_its_observers_read_and_no_more(tmp_path: Path) -> None:
    with publishing(tmp_path) as talk:
        begun(talk)
        page = shown(talk, "sw-1/index.html")
        assert "2 players, turn 1" in page
        assert "Turn 1 is due on Thu 3 Sep 2026, 12:00 UTC." in page
        assert "Public report" not in page
        assert "SUMMARY:SW-1: turn 1 is due" in talk.pages()["deadlines.ics"]
        assert "DTSTART:20260903T120000Z" in talk.pages()["deadlines.ics"]

        say(talk, GM, "GM SW-1\nOBSERVERS ON DELAY 1 TURN", confirmed=True)
        page = shown(talk, "sw-1/index.html")
        assert "OBSERVE SW-1" in page
        assert "Public report" not in page

        say(talk, GM, "GM SW-1\nBROADCAST\nThe inn is closed.\nEND", confirmed=True)
        say(talk, FRODO, f"PRESS TO SAM\n{PRESS}\nEND\nSHARE PAGES YES", to="T1")
        later(talk, "2 days")
        assert "Public report of turn 1" in shown(talk, "sw-1/index.html")
        later(talk, "2 days")
        page = shown(talk, "sw-1/index.html")
        assert "Public report of turn 2" in page
        assert "Public report of turn 1" not in page
        assert "The inn is closed." in page
        assert "report of turn 2" in talk.pages()["games.xml"]

        say(talk, GM, "GM SW-1\nOBSERVERS OFF", confirmed=True)
        assert "Public report" not in shown(talk, "sw-1/index.html")
        every = "".join(talk.pages().values())
        assert [word for word in (*NAMES, PRESS, DIARY) if word in every] == []


@pytest.mark.slow
def test_a_page_shows_whose_orders_are_awaited_if_its_house_rules_allow_it(tmp_path: Path) -> None:
    with publishing(tmp_path) as talk:
        begun(talk)
        assert "awaited" not in shown(talk, "sw-1/index.html")
        say(talk, GM, "GM SW-1\nOPTION awaited=yes", confirmed=True)
        page = shown(talk, "sw-1/index.html")
        assert "Orders are still awaited from FRODO and SAM." in page
        assert "Turn 1 is due on Thu 3 Sep 2026, 12:00 UTC." in page
        say(talk, FRODO, "FINAL", to="T1")
        assert "Orders are still awaited from SAM." in shown(talk, "sw-1/index.html")


@pytest.mark.slow
@pytest.mark.parametrize(("fog", "maps"), [("none", ["map-2.svg"]), ("galaxy", [])])
def test_an_open_game_shows_its_map_and_one_in_fog_does_not(
    tmp_path: Path, fog: str, maps: list[str]
) -> None:
    with publishing(tmp_path) as talk:
        say(talk, GM, f'CREATE STARFARERS SEATS 2 DEADLINE "2 days" OPTION fog={fog}')
        say(talk, FRODO, "JOIN SF-1 FRODO")
        say(talk, SAM, "JOIN SF-1 SAM")
        later(talk, "2 days")
        assert [path for path in talk.pages() if path.endswith(".svg")] == []
        say(talk, GM, "GM SF-1\nOBSERVERS ON DELAY 0 TURNS", confirmed=True)
        pages = talk.pages()
        assert [path for path in pages if path.endswith(".svg")] == [f"sf-1/{m}" for m in maps]
        assert ("What everybody could see" in pages["sf-1/index.html"]) is bool(maps)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("vote", "delay", "result", "subject"),
    [
        # With no delay, observers have the public report of the last turn before it is resolved.
        ("CONCEDE TO FRODO", 0, "FRODO has won with", "FRODO wins"),
        ("DRAW", 1, "The game is a draw between FRODO and SAM.", "a draw"),
        ("END", 1, "", ""),
    ],
)
def test_what_the_players_agreed_on_is_what_everyone_reads(
    tmp_path: Path, vote: str, delay: int, result: str, subject: str
) -> None:
    with publishing(tmp_path) as talk:
        begun(talk)
        say(talk, GM, f"GM SW-1\nOBSERVERS ON DELAY {delay} TURNS", confirmed=True)
        talk.run(f"=== {ROSIE} writes\n\nOBSERVE SW-1")
        talk.run(f"=== {ROSIE} gets mail\n=== {ROSIE} replies\nCONFIRM\n=== {ROSIE} gets mail")
        later(talk, "2 days")
        say(talk, FRODO, f"VOTE {vote}", to="T1")
        say(talk, SAM, f"VOTE {vote} YES", to="T1")
        later(talk, "1 hour")
        page = shown(talk, "sw-1/index.html")
        said = [each for each in WON if each in page]
        assert said == [result][: bool(result)]
        over = talk.person(ROSIE).got[-1]
        assert over.files == ("sw-1-book.zip",)
        assert over.subject == "[SW-1] the game is over" + (f": {subject}" if subject else "")

        # A player who is forgotten after the end does not lose the draw.
        say(talk, SAM, "FORGET ME", to="T1", confirmed=True)
        assert result in shown(talk, "sw-1/index.html")


@pytest.mark.slow
def test_a_game_that_neither_took_observers_nor_is_revealed_is_gone_at_its_end(
    tmp_path: Path,
) -> None:
    with publishing(tmp_path) as talk:
        ended(talk)
        assert [*talk.pages()] == ["deadlines.ics", "games.xml", "index.html"]


@pytest.mark.slow
def test_a_revealed_game_shows_the_words_of_those_who_want_it(tmp_path: Path) -> None:
    with publishing(tmp_path) as talk:
        ended(talk)
        say(talk, FRODO, "SHARE PRESS YES\nSHARE PAGES YES", to="the game is over")
        say(talk, SAM, "SHARE PRESS YES", to="the game is over")
        later(talk, "1 minute")
        say(talk, GM, "GM SW-1\nREVEAL", confirmed=True)
        page = shown(talk, "sw-1/index.html")
        assert "FRODO: Frodo Baggins" in page
        assert "SAM: (no real name given)" in page
        assert "Final standing" in page
        maps = [path for path in talk.pages() if path.endswith(".svg")]
        assert maps == ["sw-1/curve.svg", "sw-1/map-1.svg", "sw-1/map-2.svg"]
        assert "The true map at the end" in page
        turn = shown(talk, "sw-1/turn-1.html")
        assert turn.count(DIARY) == 1
        assert f"{PRESS} Yours, (address)" in turn
        assert turn.count(PRESS) == 1
        # The GM took no observers.
        assert "Public report" not in turn

        say(talk, FRODO, "SHARE PAGES NO", to="the game is over")
        every = "".join(talk.pages().values())
        assert [word for word in (*NAMES, PRESS, DIARY) if word in every] == []

        say(talk, FRODO, "SHARE PAGES YES", to="the game is over")
        assert "FRODO: Frodo Baggins" in shown(talk, "sw-1/index.html")
        say(talk, FRODO, "FORGET ME", to="the game is over", confirmed=True)
        every = "".join(talk.pages().values())
        assert [word for word in (*NAMES, PRESS, DIARY) if word in every] == []
        assert "FRODO: (player forgotten)" in shown(talk, "sw-1/index.html")


@pytest.mark.slow
def test_what_players_are_called_and_write_changes_no_page_of_a_running_game(
    tmp_path: Path,
) -> None:
    found = []
    for name, words in (("Frodo Baggins", PRESS), ("Bilbo", "I never left the Shire.")):
        with publishing(tmp_path / name) as talk:
            say(talk, GM, 'CREATE STARWEB SEATS 2 DEADLINE "2 days" OPTION introduced=yes early=0')
            say(talk, FRODO, f"JOIN SW-1 FRODO AS Empire Builder REAL NAME {name}")
            say(talk, SAM, "JOIN SW-1 SAM AS Empire Builder")
            say(talk, GM, "GM SW-1\nOBSERVERS ON DELAY 0 TURNS", confirmed=True)
            say(talk, FRODO, f"PRESS TO SAM\n{words}\nEND\nDIARY\n{words}\nEND", to="T1")
            later(talk, "2 days")
            found.append(talk.pages())
    assert found[0] == found[1]
    assert "Public report of turn 2" in found[0]["sw-1/index.html"]


@pytest.mark.slow
@pytest.mark.sampled
@pytest.mark.parametrize(
    "name",
    ["diary_revealed", "observers", "observers_correction", "press_leaks", "privacy", "takeover"],
)
def test_no_conversation_brings_a_secret_onto_the_pages(name: str, tmp_path: Path) -> None:
    with publishing(tmp_path) as talk:
        talk.run((CONVERSATIONS / f"{name}.txt").read_text(encoding="utf-8"))
        for page in talk.pages():
            if page.endswith(".html"):
                shown(talk, page)
        every = "".join(talk.pages().values())
        named = ("Frodo Baggins", "Samwise Gamgee", "Meriadoc", "Second breakfast", "betray both")
        assert [word for word in named if word in every] == []
