"""News: a report opens with the heaviest events, and the log of a turn has its place in a view."""

from referee.rules.news import from_charts, heard, news_of, with_log
from referee.rules.ruleset import Event, Seat, Weight
from referee.rules.views import Chart, Log, Node, Prose, Sentences, Unit, UnitKind

ANN, BEN = Seat(1), Seat(2)


def _event(text: str, *seats: Seat, weight: Weight = Weight.NOTE, heading: str = "") -> Event:
    return Event(text, frozenset(seats) if seats else None, weight, heading=heading)


def _detail(text: str, heading: str) -> Event:
    return _event(text, ANN, weight=Weight.DETAIL, heading=heading)


def test_a_seat_hears_its_own_events_and_those_for_everyone() -> None:
    events = [_event("own", ANN), _event("all"), _event("both", ANN, BEN)]
    assert [event.text for event in heard(events, ANN)] == ["own", "all", "both"]
    assert [event.text for event in heard(events, BEN)] == ["all", "both"]
    assert [event.text for event in heard(events, None)] == ["all"]


def test_the_heaviest_news_comes_first_and_the_log_is_none() -> None:
    events = [
        _event("income", ANN),
        _detail("moved", "Moves"),
        _event("met", ANN, weight=Weight.MEETING),
        _event("lost", ANN, weight=Weight.LOSS),
        _event("lost too", ANN, weight=Weight.LOSS),
    ]
    assert [each.text for each in news_of(events, ANN)] == ["lost", "lost too", "met", "income"]


def test_eight_sentences_are_shown_and_of_nine_the_last_counts_two() -> None:
    events = [_event(f"event {number}", ANN) for number in range(9)]
    assert [each.text for each in news_of(events[:8], ANN)] == [each.text for each in events[:8]]
    assert [each.text for each in news_of(events, ANN)] == [
        *(each.text for each in events[:7]),
        "2 more events: see the report below.",
    ]


def test_the_log_takes_its_place_in_the_sequence_of_the_headings() -> None:
    events = [_detail("shot", "Battles"), _detail("moved", "Moves"), _detail("hit", "Battles")]
    view = (Prose("above"), Log(headings=("Moves", "Battles")), Prose("below"))
    assert with_log(view, events, ANN) == (
        Prose("above"),
        Sentences(("moved",), "Moves"),
        Sentences(("shot", "hit"), "Battles"),
        Prose("below"),
    )


def test_a_view_without_a_place_for_it_ends_with_the_log() -> None:
    view = (Prose("above"),)
    assert with_log(view, [_detail("moved", "Moves")], ANN) == (
        Prose("above"),
        Sentences(("moved",), "Moves"),
    )
    assert with_log(view, [_detail("moved", "Moves")], BEN) == view


def _chart(owners: dict[str, str], units: dict[str, tuple[str, str]]) -> Chart:
    """Return a map of ANN: places with their owners, and units with their owner and place."""
    nodes = tuple(
        Node(
            place,
            (),
            owner,
            units=tuple(
                Unit(key, whose, UnitKind.FLEET)
                for key, (whose, at) in units.items()
                if at == place
            ),
        )
        for place, owner in owners.items()
    )
    return Chart(nodes, (), owners=("ANN", "BEN"))


def test_the_default_tells_the_changes_of_the_map() -> None:
    before = _chart(
        {"W1": "ANN", "W2": "ANN", "W3": "BEN", "W4": "", "W5": "ANN"},
        {"F1": ("ANN", "W1"), "F2": ("ANN", "W2"), "F3": ("BEN", "W3")},
    )
    after = _chart(
        {"W1": "ANN", "W2": "BEN", "W3": "ANN", "W4": "ANN", "W5": "", "W6": ""},
        {"F1": ("ANN", "W2")},
    )
    assert [(each.text, each.weight, each.places) for each in from_charts(before, after, ANN)] == [
        ("You lost W2 to BEN; W5.", Weight.LOSS, ("W2", "W5")),
        ("You no longer have F2.", Weight.LOSS, ("W2",)),
        ("You took W3 from BEN; W4.", Weight.GAIN, ("W3", "W4")),
        ("New on your map: W6.", Weight.MEETING, ("W6",)),
    ]


def test_the_default_tells_nothing_where_nothing_has_changed() -> None:
    chart = _chart({"W1": "ANN", "W2": "BEN"}, {"F1": ("ANN", "W1")})
    assert list(from_charts(chart, chart, ANN)) == []


def test_the_default_names_seven_of_nine_places() -> None:
    after = _chart({f"W{number}": "" for number in range(1, 10)}, {})
    assert [each.text for each in from_charts(Chart((), ()), after, ANN)] == [
        "New on your map: W1, W2, W3, W4, W5, W6, W7 and 2 others."
    ]
