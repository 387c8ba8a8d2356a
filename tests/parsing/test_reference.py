"""The page a player reads is the grammar's comments, laid out to be read."""

from referee.parsing.reference import reference


def test_what_a_page_is_about_and_what_is_told_at_length_stand_apart() -> None:
    page = reference("commands.lark")
    assert page.startswith("What a player writes to the referee")
    assert "game's own grammar.\n\nGETTING STARTED\nhow to do something" in page
    assert "FINAL  WAIT\n\nOrders for every turn" in page
    assert "    STANDING\n    F3L F3W75\n    END\n\n" in page
    assert "\n\n\n" not in page


def test_a_page_ends_where_the_words_of_the_grammar_begin() -> None:
    assert reference("schedule.lark").endswith("every second Friday 18:00 UTC, in retreats 2 days")
    assert "THE WORDS ABOVE" not in reference("starweb.lark")
