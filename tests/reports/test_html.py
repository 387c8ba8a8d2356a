"""Views as HTML: the words of their text, and no markup that a value adds."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.letters.incoming.html_text import text_of_markup
from referee.reports.html import html
from referee.reports.text import text
from referee.rules.news import opened
from referee.rules.ruleset import Event, Weight
from referee.rules.views import (
    Chart,
    Link,
    Node,
    Prose,
    Sentences,
    Sighting,
    Table,
    Verbatim,
    View,
)
from tests.support.examples import examples
from tests.support.seen_turns import GAMES, seen
from tests.support.strict_html import StrictHtml

WEB = Chart(
    (
        Node("W1", ("mines",), "CERES"),
        Node("W2", (), sighting=Sighting.REMEMBERED),
        Node("W3", (), sighting=Sighting.UNEXPLORED),
    ),
    (Link("W1", "W2"), Link("W2", "W3")),
    "Map",
)
WORDS = st.text(st.sampled_from("aW1 ,<>&\"'=\n\t\x07"), max_size=30)
BLOCKS: st.SearchStrategy[View] = st.tuples(
    st.builds(Prose, WORDS, WORDS),
    st.builds(Verbatim, WORDS, WORDS, st.booleans()),
    st.builds(Sentences, st.tuples(WORDS, WORDS), WORDS),
    st.builds(Table, st.tuples(WORDS, WORDS), st.tuples(st.tuples(WORDS, WORDS)), WORDS),
)


def characters(shown: str) -> Counter[str]:
    """Return the letters and figures of a text, whatever its lines."""
    return Counter(filter(str.isalnum, shown))


def strict(drawn: str) -> StrictHtml:
    """Return the page that has only this markup."""
    return StrictHtml(f"<!DOCTYPE html>\n<html><body>{drawn}</body></html>")


@pytest.mark.parametrize(
    "view", [(WEB,), (Prose("a\n\nb", "T"), Sentences((), "U"), Table((), ()))]
)
def test_html_has_the_words_of_the_text(view: View) -> None:
    assert characters(text_of_markup(html(view))) == characters(text(view))


@examples(100)
@given(BLOCKS)
def test_values_add_no_markup_and_lose_no_character(view: View) -> None:
    page = strict(html(view))
    assert characters(page.text) == characters(text(view))


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_the_views_of_whole_games_keep_every_character(key: str) -> None:
    for turn in seen(key, 1, 40):
        view = (*turn.view, turn.chart)
        assert characters(strict(html(view)).text) == characters(text(view))
        assert len(html(turn.view)) < 60_000


def test_the_news_of_a_whole_report_has_its_weight() -> None:
    events = (
        Event("You took W2.", None, Weight.GAIN),
        Event("You lost W1.", None, Weight.LOSS),
    )
    assert html(opened((Prose("a"),), events, None)) == (
        '<h3>NEWS</h3><ul><li class="loss"><p>You lost W1.</p></li>'
        '<li class="gain"><p>You took W2.</p></li></ul><p>a</p>'
    )


def test_a_record_of_several_lines_is_one_on_a_narrow_screen() -> None:
    record = "W5 (1,2) (Metal=1,\n    Mines=2)\n   F3[A]=2 (Moved,\n      Lost)\n      V8:Crown"
    assert html((Verbatim(record, wraps=True),)) == (
        '<div class="lines"><div><b>W5</b> (1,<wbr>2) (Metal=1,<wbr> Mines=2)</div>'
        '<div class="d">F3[A]=2 (Moved,<wbr> Lost) V8:Crown</div></div>'
    )


@pytest.mark.parametrize(
    ("columns", "kind"), [(4, "<table>"), (5, '<table class="many">'), (9, '<table class="most">')]
)
def test_a_table_of_many_columns_is_set_for_a_narrow_screen(columns: int, kind: str) -> None:
    table = Table(tuple(f"column {n}" for n in range(columns)), (("probeship",) * columns,))
    assert html((table,)).startswith(kind)


@pytest.mark.parametrize(("width", "kind"), [(46, "map"), (61, "map half"), (62, "map far")])
def test_a_map_that_is_too_wide_for_a_narrow_screen_is_small_or_scrolls(
    width: int, kind: str
) -> None:
    assert html((Verbatim(f".\n{'x' * width}"),)).startswith(f'<pre class="{kind}">')


def test_records_break_behind_commas_but_at_no_hyphen_and_maps_do_not() -> None:
    record = "W5 (1,2)\n   F3[A]=2 (P-Ships=1,Lost)\n" + "=" * 72
    assert html((Verbatim(record, wraps=True),)) == (
        '<div class="lines"><div><b>W5</b> (1,<wbr>2)</div>'
        '<div class="d">F3[A]=2 <span>(P-Ships=1</span>,<wbr>Lost)</div><hr></div>'
    )
    assert html((Verbatim("1,2\n 3"),)) == '<pre class="map">1,2\n 3</pre>'


def test_a_column_of_numbers_is_set_to_the_right() -> None:
    drawn = html((Table(("Name", "Ships"), (("A & B", "3"),)),))
    assert '<th class="n">Ships</th>' in drawn
    assert '<td>A &amp; B</td><td class="n">3</td>' in drawn
