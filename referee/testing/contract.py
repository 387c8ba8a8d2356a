"""The contract of a ruleset: the referee's assumptions, as checks for its author.

Pass the ruleset and positions from games of it to ``check``, with orders as players send them::

    def test_the_contract_is_kept() -> None:
        check(RULESET, [Position(state, {seat: orders})])

    def test_every_form_of_order_is_carried_out_in_a_case() -> None:
        assert unshown(RULESET, Path("scenarios")) == []

    def test_no_case_depends_on_the_sequence_of_the_seats() -> None:
        assert seat_bound(RULESET, Path("scenarios")) == []

Each of the other functions makes one kind of check and yields one line for each fault.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any, Final

from referee.desk.base.rulebooks import plain, rulebook
from referee.errors import PluginError, named_faults
from referee.parsing.commands import command_words
from referee.parsing.reader import Reader, read_orders
from referee.parsing.reference import examples, reference, unexplained
from referee.parsing.shapes import Shapes
from referee.plugins.checks import (
    grammars_of,
    interface_faults,
    order_form_faults,
    rulebook_faults,
)
from referee.plugins.info import offer_faults
from referee.plugins.thorough import language_faults
from referee.reports.atlas_records import SeenTurn, TurnRecords, records
from referee.rules.dice import Dice
from referee.rules.extras import Strength, extras_of
from referee.rules.robots import robot_orders
from referee.rules.ruleset import (
    Grammar,
    Guide,
    Resolution,
    Ruleset,
    Ruling,
    RulingKind,
    Seat,
    SignUp,
    UserError,
)
from referee.rules.spots import axial, flat, pointy
from referee.rules.views import Chart, Grid, Spot, Table, Verbatim, View
from referee.rules.wording import sentence
from referee.store.database.codec import decode, encode
from referee.testing.form_samples import samples
from referee.testing.probe import RulesProbe, differences, storing
from referee.testing.scenarios import OrderReading, cases, run_case
from referee.testing.seating import Reseated

DICE: Final = Dice(b"the contract of a ruleset")
WIDTH: Final = 78
"""The most columns of a line that goes into a letter unchanged."""

_ROUNDING: Final = 0.01
"""How far a spot may be from the middle of its hex."""

Rules = Ruleset[Any, Any]


class ContractBroken(AssertionError):
    """A ruleset breaks the contract; the message lists all faults."""


@dataclass(frozen=True, slots=True)
class Position:
    """A state of a game, and orders of some of its seats in it."""

    state: Any
    sheets: Mapping[Seat, Sequence[Any]]


_OPENINGS: Final = 3
"""The number of equal games that are set up, to find chance that is not from the dice."""


def check(rules: Rules, positions: Iterable[Position]) -> None:
    """Raise ContractBroken unless the ruleset keeps the contract in all *positions*."""
    key = getattr(getattr(rules, "info", None), "key", "")
    broken = [*interface_faults(key, rules)] or [
        *rulebook_faults(rules, _ships),
        *order_form_faults(rules),
    ]
    if broken:
        raise ContractBroken("\n".join(broken))
    probe: Any = RulesProbe(rules)
    with returning():
        broken = [*offer_faults(rules.info), *pages(rules), *help_on_orders(probe)]
        first, *others = (opening(rules).state for _ in range(_OPENINGS))
        if any(other != first for other in others):
            broken.append("the same seats, options and dice set up two games")
        if faults := [*language_faults(probe, _ships)]:
            raise ContractBroken("\n".join((*broken, *faults)))
        for position in positions:
            broken += [*language(probe, position), *position_is_sound(probe, position)]
    if broken:
        raise ContractBroken("\n".join(dict.fromkeys(broken)))


def unshown(rules: Rules, folder: Path) -> list[str]:
    """Return the forms of order, and the examples of HELP, that no case in *folder* carries out.

    They are written ``throw: HAND`` and ``HELP: ROCK``. An order is carried out if its outcome is
    done. Its form counts as it was typed. HELP also shows the rulebook.
    """
    grammars = [*grammars_of(rules)]
    forms = [form for grammar in grammars for form in Shapes(grammar).all()]
    book = rulebook(rules)
    text = "\n".join(chapter.text for chapter in book.chapters) if book is not None else ""
    taught = [rules.render(order) for each in grammars for order in examples(each, text)]
    shown: set[str] = set()
    done: set[str] = set()
    for case in cases([folder], {rules.info.key: rules}):
        witness: Any = _Witness(rules)
        run_case(case, {case.ruleset: witness}, witness.read)
        shown |= witness.shown
        done |= {rules.render(order).upper() for order in witness.done}
    unseen = (f"HELP: {order}" for order in taught if order.upper() not in done)
    return [*(form for form in forms if form not in shown), *dict.fromkeys(unseen)]


def seat_bound(rules: Rules, folder: Path) -> list[str]:
    """Return the cases in *folder* that fail only with the seats in reverse sequence, by name.

    In a game whose players act one after the other it returns none.
    """
    if extras_of(rules).in_turn:
        return []
    reseated: Any = Reseated(rules)
    key = rules.info.key
    return [
        case.name
        for case in cases([folder], {key: rules})
        if run_case(case, {key: rules}).passed and not run_case(case, {key: reseated}).passed
    ]


class _Witness:
    """A ruleset that notes the orders that a case carries out, and their forms."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._typed: list[tuple[Any, set[str]]] = []
        self.shown: set[str] = set()
        self.done: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def read(self, grammar: Grammar, text: str) -> list[Any]:
        """Return the orders in *text*."""
        items = [*OrderReading().parsed(grammar, text)]
        shapes = Shapes(grammar)
        self._typed += [(item.order, shapes.of(item.text)) for item in items]
        return [item.order for item in items]

    def resolve(self, *args: Any) -> Any:
        """Return the resolution of a turn."""
        resolution = self._rules.resolve(*args)
        rows = chain.from_iterable(resolution.outcomes.values())
        done = [order for order, outcome in rows if outcome.done]
        self.done += done
        self.shown.update(*(forms for order, forms in self._typed if order in done))
        return resolution


@contextmanager
def returning() -> Iterator[None]:
    """Raise ContractBroken if a function of a ruleset in a probe fails or hangs."""
    try:
        with named_faults():
            yield
    except PluginError as fault:
        raise ContractBroken(str(fault)) from fault


def opening(rules: Rules) -> Position:
    """Return the start of the smallest game with default options, and no orders.

    Raises ContractBroken if there is no such game.
    """
    info = rules.info
    names = enumerate(info.names.stock[: info.fewest_seats], 1)
    try:
        with returning():
            seats = [SignUp(Seat(number), name) for number, name in names]
            probe: Any = RulesProbe(rules)
            return Position(probe.setup(seats, info.chosen({}), DICE), {})
    except UserError as mistake:
        what = f"setup rejects {info.fewest_seats} seats with the default options"
        raise ContractBroken(f"{what}: {mistake}") from mistake


def _ships(_package: str) -> bool:
    """Return True, because the packages of a ruleset are known only after it is installed."""
    return True


def pages(rules: Rules) -> Iterator[str]:
    """Yield the faults of the rulebook, of which HELP mails the beginning and each chapter."""
    book = rulebook(rules)
    if book is None:
        return
    words = [chapter.word for chapter in book.chapters]
    if not words:
        yield "the rulebook has no chapter; one begins with a line like ## 1. Start: how"
    yield from (f"two chapters have the word {w}" for w in set(words) if words.count(w) > 1)
    yield from _empty("the beginning of the rulebook", plain(book.overview))
    for chapter in book.chapters:
        yield from _empty(f"the chapter {chapter.word}", plain(chapter.text))


def help_on_orders(rules: Rules) -> Iterator[str]:
    """Yield the faults of HELP ORDERS and HELP on one order, in all phases."""
    for grammar in grammars_of(rules):
        if not reference(grammar.source):
            yield (
                "HELP ORDERS would be empty: the grammar has no comments; write one above each "
                "order, such as // what the order does"
            )
            continue
        for name in unexplained(grammar.source):
            yield (
                f"HELP would show no entry, or a wrong one, for the order {name!r}: write a "
                "comment above its rule, such as // what the order does"
            )


def _empty(what: str, page: str) -> Iterator[str]:
    if not page.strip():
        yield f"{what} is empty"


def language(rules: Rules, position: Position) -> Iterator[str]:
    """Yield the faults of the order language, and of the text of the orders in *position*."""
    grammar = rules.grammar(rules.phase(position.state))
    for word in sorted(Reader(grammar).first_words & command_words()):
        yield f"an order starts with {word}, which is a command to the referee"
    for orders in position.sheets.values():
        for order in orders:
            yield from _written(rules, grammar, order)


def _written(rules: Rules, grammar: Grammar, order: Any) -> Iterator[str]:
    text = rules.render(order)
    if text.split()[0].upper() in command_words():
        yield f"{order!r} is written {text!r}, which starts with a command to the referee"
    try:
        again = read_orders(grammar, text)
    except UserError as mistake:
        yield f"{order!r} is written {text!r}, which cannot be read: {mistake}"
    else:
        if again != (order,):
            yield f"{order!r} is written {text!r}, which is read as {again!r}"


def position_is_sound(rules: Rules, position: Position) -> Iterator[str]:
    """Yield the faults of the ruleset in *position*: for the store, a seat, or the turn."""
    if faults := [*storing(rules, position.state)]:
        yield from faults
        return
    before = encode(position.state)
    yield from _shown_and_played(rules, position)
    if encode(position.state) != before:
        fresh = decode(before.content, rules.state_type)
        yield from _changing(rules, replace(position, state=fresh))


def _changing(rules: Rules, position: Position) -> Iterator[str]:
    """Yield the functions that change the state they are given."""
    probe: Any = RulesProbe(rules, checks_states=True)
    for _ in _shown_and_played(probe, position):
        pass
    found = [fault for fault in probe.faults if " changed the state " in fault]
    yield from found or ["a function changed the state that it was given; it must return a new one"]


def _shown_and_played(rules: Rules, position: Position) -> Iterator[str]:
    key = rules.phase(position.state).key
    if key not in rules.info.phases:
        yield f"the phase {key!r} is not one of the phases in info"
    for seat in sorted({*rules.phase(position.state).awaiting, *position.sheets}):
        yield from for_seat(rules, position.state, seat, position.sheets.get(seat, ()))
    yield from _shown("the view of an observer", rules.view(position.state, None, "some day"))
    yield from _of_nobody(rules, position.state)
    yield from turn(rules, position)
    verdict = rules.verdict(position.state)
    if verdict is not None:
        yield from _shown("the final standing", verdict.standing)
    yield from _lines("a remark", rules.gm_notes(position.state))


def _of_nobody(rules: Rules, state: Any) -> Iterator[str]:
    """Yield the faults of the maps of nobody and of the scores, if the ruleset has them."""
    extras = extras_of(rules)
    for name, draw in (("true", extras.truth), ("public", extras.public)):
        chart = draw(state) if draw is not None else None
        if chart is not None:
            yield from _shown(f"the {name} map", (chart,))
            if chart.owners:
                yield f"the {name} map has owners, but it is of nobody"
    if extras.scores is not None:
        scores = extras.scores.of(state)
        if missing := rules.phase(state).awaiting - scores.keys():
            yield f"the scores lack seat {min(missing)}"
        if any(type(score) is not int for score in scores.values()):
            yield "the scores are not all of type int"


def for_seat(rules: Rules, state: Any, seat: Seat, orders: Sequence[Any]) -> Iterator[str]:
    """Yield the faults in what a seat is shown of the state and of its orders."""
    first, second = (visible_to(rules, state, seat, orders) for _ in range(2))
    yield from (f"{name} for seat {seat} changes" for name in first if first[name] != second[name])
    rulings: Sequence[Ruling] = first["validate"]
    for order, ruling in zip(orders, rulings, strict=True):
        if bool(ruling.reason) != (ruling.kind is not RulingKind.ACCEPTED):
            yield f"{rules.render(order)!r} is {ruling.kind.value} because of {ruling.reason!r}"
        yield from _unended(rules, order, ruling.reason)
    for name in ("view", "forecast"):
        yield from _shown(f"the {name} of seat {seat}", first[name])
    yield from _shown(f"the chart of seat {seat}", (first["chart"],))
    for name in ("explain", "unused", "template"):
        yield from _lines(f"a line of {name} for seat {seat}", first[name])
    yield from _guiding(rules, state, seat, first["guide"])
    yield from order_forms(rules, state, seat)
    grammar = rules.grammar(rules.phase(state))
    for order in chain(*first["robot"], first["steward"]):
        yield from _written(rules, grammar, order)
    if seat in first["contacts"]:
        yield f"seat {seat} is among its own contacts"
    defaults = rules.defaults(state, seat, orders)
    if orders and tuple(defaults) != tuple(orders):
        yield f"defaults changes the standing orders of seat {seat}"


def order_forms(rules: Rules, state: Any, seat: Seat) -> Iterator[str]:
    """Yield the order forms that make no single order of the language on the seat's map."""
    grammar = rules.grammar(rules.phase(state))
    for form, text in samples(rules, state, seat):
        try:
            count = len(read_orders(grammar, text))
        except UserError as mistake:
            yield f"the order form {form.label!r} makes {text!r}, which cannot be read: {mistake}"
            continue
        if count != 1:
            yield f"the order form {form.label!r} makes {text!r}, which is {count} orders"


def _guiding(rules: Rules, state: Any, seat: Seat, guide: Guide) -> Iterator[str]:
    """Yield the faults in the guide for a seat."""
    grammar, book = rules.grammar(rules.phase(state)), rulebook(rules)
    words = {chapter.word for chapter in book.chapters} if book is not None else set()
    missing = [word for word in guide.chapters if word not in words]
    yield from (f"the guide for seat {seat} names the chapter {w}, which is none" for w in missing)
    yield from _lines(
        f"a reason in the guide for seat {seat}", (s.reason for s in guide.suggestions)
    )
    for suggestion in guide.suggestions:
        if not suggestion.orders:
            yield f"a suggestion in the guide for seat {seat} has no orders"
        for order in suggestion.orders:
            yield from _written(rules, grammar, order)


def visible_to(rules: Rules, state: Any, seat: Seat, orders: Sequence[Any]) -> dict[str, Any]:
    """Return everything that *seat* is shown of the state and *orders*, by function name.

    It includes the orders of the robot of each strength, and of the steward, if the ruleset has
    them.

    Nothing in it can depend on facts that the seat must not know. Two states that differ only in
    such facts must give the same result; an author checks this with their own states.
    """
    extras = extras_of(rules)
    return {
        "view": rules.view(state, seat, "some day"),
        "chart": rules.chart(state, seat),
        "atlas": _atlas(rules, state, seat),
        "template": tuple(rules.template(state, seat)),
        "guide": rules.guide(state, seat),
        "contacts": rules.contacts(state, seat),
        "validate": tuple(rules.validate(state, seat, orders)),
        "explain": tuple(rules.explain(state, seat, order) for order in orders),
        "unused": tuple(rules.unused(state, seat, orders)),
        "forecast": rules.forecast(state, seat, orders),
        "steward": tuple(extras.steward.orders(state, seat, 1)) if extras.steward else (),
        "robot": tuple(robot_orders(rules, state, seat, each, DICE) for each in Strength),
    }


def _atlas(rules: Rules, state: Any, seat: Seat) -> TurnRecords:
    """Return an atlas's records of the turn."""
    view, chart = rules.view(state, seat, "some day"), rules.chart(state, seat)
    (told,) = records([SeenTurn(1, view, chart)])
    return told


def turn(rules: Rules, position: Position) -> Iterator[str]:
    """Yield the faults in the resolution of the turn, which must be total and repeatable."""
    awaiting = rules.phase(position.state).awaiting
    missed = frozenset(awaiting - position.sheets.keys())
    defaults = {seat: tuple(rules.defaults(position.state, seat, ())) for seat in missed}
    sheets = {**defaults, **{seat: tuple(orders) for seat, orders in position.sheets.items()}}
    first = rules.resolve(position.state, sheets, missed, DICE)
    backwards = dict(reversed(sheets.items()))
    second = rules.resolve(position.state, backwards, missed, DICE)
    if encode(first.state).digest != encode(second.state).digest:
        yield "the same orders give two states"
    if dict(first.outcomes) != dict(second.outcomes) or first.events != second.events:
        yield "the same orders give two outcomes"
    for seat, orders in sheets.items():
        rows = first.outcomes.get(seat, ())
        if tuple(order for order, _ in rows) != orders:
            yield f"the outcomes of seat {seat} are not one for each of its orders"
        for order, outcome in rows:
            if not (outcome.done or outcome.reason):
                yield f"{rules.render(order)!r} failed without a reason"
            yield from _unended(rules, order, outcome.reason)
    yield from storing(rules, first.state)
    if not extras_of(rules).in_turn:
        again = Reseated(rules).resolve(position.state, sheets, missed, DICE)
        yield from _seat_differences(first, again)


def _seat_differences(first: Resolution[Any, Any], again: Resolution[Any, Any]) -> Iterator[str]:
    """Yield the differences of a turn with the seats in reverse sequence, dice aside."""
    for name in ("state", "outcomes", "events"):
        one, other = getattr(first, name), getattr(again, name)
        if one != other:
            yield from differences(f"the {name}", one, other, _by_seats)


def _by_seats(path: str, one: str, other: str) -> str:
    return f"the sequence of the seats decides {path}: {one}, and in reverse sequence {other}"


def _unended(rules: Rules, order: Any, reason: str) -> Iterator[str]:
    # A name can begin it in small letters.
    if reason and not sentence(reason).endswith(reason[1:]):
        yield f"{rules.render(order)!r} has the reason {reason!r}: end it with a full stop"


def _lines(what: str, lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        if "\n" in line or not line.strip():
            yield f"{what} is not one line: {line!r}"


def _shown(what: str, view: View) -> Iterator[str]:
    for block in view:
        match block:
            case Verbatim(text):
                wide = [line for line in text.split("\n") if len(line) > WIDTH]
                yield from (f"{what} has a line of {len(line)} columns" for line in wide[:1])
            case Table(columns, rows):
                if any(len(row) != len(columns) for row in rows):
                    yield f"{what} has a row that does not fit under its headings"
            case Chart():
                yield from (f"{what} has {fault}" for fault in _misplaced(block))
            case _:
                pass


def _misplaced(chart: Chart) -> Iterator[str]:
    """Yield the parts of a map that cannot be drawn."""
    keys = [node.key for node in chart.nodes]
    if len(set(keys)) != len(keys):
        yield "a place twice"
    if any({link.one, link.other} - {*keys} for link in chart.links):
        yield "a link to a place that is not on it"
    if any({*each.around} - {*keys} for each in chart.ranges):
        yield "a range around a place that is not on it"
    spots = [node.spot for node in chart.nodes] + [each.spot for each in chart.ground]
    if chart.grid is Grid.NONE:
        if any(spots):
            yield "a spot, but no grid"
        return
    if not all(spots):
        yield "a place without a spot"
    middles = [spot for spot in spots if spot is not None]
    spots += [unit.spot for node in chart.nodes for unit in node.units]
    panels = {panel.key for panel in chart.panels}
    if any(spot.panel not in panels for spot in spots if spot is not None):
        yield "a spot in a panel that it does not have"
    if not all(isfinite(spot.x) and isfinite(spot.y) for spot in spots if spot is not None):
        yield "a spot that is nowhere"
    elif chart.grid is not Grid.PLANE and any(_is_beside(spot, chart.grid) for spot in middles):
        yield "a place that is not in the middle of a hex"


def _is_beside(spot: Spot, grid: Grid) -> bool:
    """Return whether a spot is not the middle of a hex."""
    middle = (pointy if grid is Grid.POINTY_HEXES else flat)(*axial(spot, grid))
    return abs(middle.x - spot.x) + abs(middle.y - spot.y) > _ROUNDING
