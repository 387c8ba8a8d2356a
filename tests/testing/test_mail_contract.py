"""Every installed game can be played by mail, and faults of a game are reported."""

from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from referee.plugins import installed_rulesets
from referee.rules import ruleset as r
from referee.rules.dice import Dice
from referee.rules.extras import Extras, Strength
from referee.rules.simple import SimpleRuleset
from referee.testing import probe
from referee.testing.casts.cast import Cast, Role
from referee.testing.casts.installed import cast_keys, installed_casts
from referee.testing.contract import ContractBroken, Position, check
from referee.testing.mail_contract import check_by_mail
from tests.support.examples import mostly_slow

RULESETS, CASTS = installed_rulesets(), installed_casts()


@pytest.mark.slow
@pytest.mark.parametrize("key", cast_keys())
def test_the_opening_of_a_game_is_played_by_mail(key: str) -> None:
    check_by_mail(RULESETS[key], replace(CASTS[key], turns=CASTS[key].opening, ends=False))


@dataclass
class Count:
    """The state of the game below: how far the players have counted."""

    turn: int
    players: dict[r.Seat, int]
    untyped: dict = field(default_factory=dict)  # type: ignore[type-arg]


@dataclass(frozen=True)
class Add:
    """The order to count on."""

    word: str


def counts(_state: Count, _seat: r.Seat, _strength: Strength, _dice: Dice) -> list[Add]:
    """Count on in every turn, as the robot of the game below."""
    return [Add("COUNT")]


class Counting(SimpleRuleset[Count, Add]):
    """A game that ends when a player has counted to two; tests replace parts of it."""

    extras = Extras(robot=counts)
    info = r.RulesetInfo(
        key="counting", prefix="CO", title="Counting", edition="1", schema=1,
        fewest_seats=2, most_seats=2, options=(), choices=(),
        names=r.NameRule("[A-Z]{2,12}", "2 to 12 letters", stock=("LEFT", "RIGHT")),
    )  # fmt: skip
    state_type = Count
    source = '// counts on          COUNT\norder: add\nadd: COUNT\nCOUNT: "COUNT"i\n'

    def setup(self, seats: Any, options: Any, dice: Dice) -> Count:
        return Count(1, {each.seat: 0 for each in seats})

    def phase(self, state: Count) -> r.Phase:
        return r.Phase("orders", f"Turn {state.turn}", frozenset(state.players))

    def grammar(self, phase: r.Phase) -> r.Grammar:
        return r.Grammar(self.source, {"add": Add}, {"COUNT": str.upper})

    def render(self, order: Add) -> str:
        return order.word

    def validate(self, state: Count, seat: r.Seat, orders: Any) -> list[r.Ruling]:
        return [r.Ruling(r.RulingKind.ACCEPTED)] * len(orders)

    def resolve(self, state: Count, orders: Any, missed: Any, dice: Dice) -> Any:
        counts = {seat: count + bool(orders.get(seat)) for seat, count in state.players.items()}
        done = {
            seat: tuple((each, r.Outcome(done=True)) for each in sheet)
            for seat, sheet in orders.items()
        }
        return r.Resolution(Count(state.turn + 1, counts), done, ())

    def view(self, state: Count, seat: r.Seat | None, deadline: str) -> Any:
        return ()

    def verdict(self, state: Count) -> r.Verdict | None:
        winners = frozenset(seat for seat, count in state.players.items() if count > 1)
        return r.Verdict(winners, ()) if winners else None


CAST = Cast(
    'CREATE COUNTING SEATS 2\nDEADLINE "5 minutes"\n',
    (Role("ALMA"), Role("BRUNO")),
    turns=3,
)


def fault_of(rules: type[Counting], cast: Cast = CAST) -> str:
    with pytest.raises(ContractBroken) as caught:
        check_by_mail(rules(), cast)
    return str(caught.value)


@pytest.mark.slow
def test_a_small_game_is_played_by_mail_to_its_end() -> None:
    check_by_mail(Counting(), CAST)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "message"),
    mostly_slow(
        [
            ("chart", "chart of the ruleset counting raised ZeroDivisionError"),
            ("forecast", "forecast of the ruleset counting raised ZeroDivisionError"),
            ("template", "template of the ruleset counting raised ZeroDivisionError"),
            ("validate", "validate of the ruleset counting raised ZeroDivisionError"),
            ("resolve", "turn 3 sends no report"),
            ("verdict", "turn 2 sends no report"),
        ]
    ),
)
def test_a_failure_by_mail_is_reported_with_the_request(function: str, message: str) -> None:
    def crash(self: Counting, state: Count, *rest: Any) -> Any:
        if state.turn > 1:
            raise ZeroDivisionError
        return getattr(Counting, function)(self, state, *rest)

    rules: Any = type("Crashing", (Counting,), {function: crash})
    faults = fault_of(rules, replace(CAST, opening=2)).split("\n")
    assert faults[0].startswith(message)
    raised = f"{function} of the ruleset counting raised ZeroDivisionError ("
    assert [line for line in faults if line.startswith(raised)] != []


def test_orders_of_a_robot_that_cannot_be_read_are_reported() -> None:
    class Mumbling(Counting):
        extras = Extras(robot=lambda *_: [Add("MUMBLE")])

    fault = "Add(word='MUMBLE') is written 'MUMBLE', which cannot be read: "
    assert fault in fault_of(Mumbling)


@pytest.mark.slow
def test_a_robot_that_sends_nothing_is_reported() -> None:
    class Silent(Counting):
        extras = Extras(robot=lambda *_: [])

    message = "the robots sent no order in the whole game"
    assert fault_of(Silent, replace(CAST, ends=False)) == message


def test_a_ruleset_without_a_robot_is_reported() -> None:
    class Robotless(Counting):
        extras = Extras()

    message = "no robot can play the cast; give the ruleset one in its extras"
    assert fault_of(Robotless) == message


@pytest.mark.slow
def test_a_robot_that_fails_later_in_the_game_is_reported() -> None:
    def tires(state: Count, *_: Any) -> list[Add]:
        return [Add("COUNT")][: 1 // (2 - state.turn)]

    class Tired(Counting):
        extras = Extras(robot=tires)

    assert "robot of the ruleset counting raised ZeroDivisionError" in fault_of(Tired)


@pytest.mark.slow
def test_a_game_that_never_ends_is_reported() -> None:
    class Endless(Counting):
        def verdict(self, state: Count) -> None:
            return None

    message = "the game of the cast did not end within 3 turns: verdict returns None. "
    assert fault_of(Endless).startswith(message)
    check_by_mail(Endless(), replace(CAST, ends=False))


def test_a_cast_that_creates_another_game_is_reported() -> None:
    message = fault_of(Counting, replace(CAST, creation="CREATE COUNTS SEATS 2\n"))
    assert message.startswith(
        "the creation of the cast creates no game; it should begin with CREATE COUNTING. "
        "The answer was:\nSubject: "
    )


def test_an_entry_point_of_another_name_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "counting-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        f"[referee.rulesets]\ncounts = {__name__}:RULES\n"
        f"[referee.casts]\nkounting = {__name__}:CAST\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ContractBroken) as caught:
        check_by_mail(RULES, CAST)
    assert str(caught.value).split("\n") == [
        f"the entry point '{name}' of referee.{group} is {__name__}:{what}, and the key in the "
        "info of the ruleset is 'counting'; write the same name in both"
        for name, group, what in [("counts", "rulesets", "RULES"), ("kounting", "casts", "CAST")]
    ]


RULES = Counting()


def test_a_help_page_without_words_is_reported() -> None:
    class Mute(Counting):
        source = 'order: add\nadd: COUNT\nCOUNT: "COUNT"i\n'

    assert fault_of(Mute).startswith("HELP ORDERS would be empty: the grammar has no comments;")


def test_an_order_without_a_comment_of_its_own_is_reported() -> None:
    class Terse(Counting):
        source = (
            "// ---- Counting ----\n// counts on          COUNT\n"
            'order: add | give\nadd: COUNT\nCOUNT: "COUNT"i\ngive: "GIVE"i\n'
        )

    fault = "HELP would show no entry, or a wrong one, for the order {!r}: write a comment above "
    assert [fault.format(name) in fault_of(Terse) for name in ("add", "give")] == [False, True]

    class Bare(Terse):
        source = Terse.source.replace("// counts on          COUNT\n", "")

    assert [fault.format(name) in fault_of(Bare) for name in ("add", "give")] == [True, True]


def test_a_state_that_resolve_changes_is_reported() -> None:
    class Changing(Counting):
        def resolve(self, state: Count, orders: Any, missed: Any, dice: Dice) -> Any:
            resolved = super().resolve(state, orders, missed, dice)
            state.players.clear()
            return resolved

    assert "resolve changed the state that it was given; it must return a new one" in fault_of(
        Changing
    )


def test_chance_from_elsewhere_in_a_new_game_is_reported() -> None:
    drawn = count()

    class Chancy(Counting):
        def setup(self, seats: Any, options: Any, dice: Dice) -> Count:
            return Count(1, {each.seat: next(drawn) for each in seats})

    with pytest.raises(ContractBroken, match="dice set up two games"):
        check(Chancy(), [])


@pytest.mark.slow
def test_a_state_that_is_changed_only_in_the_game_is_reported() -> None:
    class Changing(Counting):
        # Only one seat counts twice, as in a game whose players act one after the other.
        extras = Extras(robot=counts, in_turn=True)

        def view(self, state: Count, seat: r.Seat | None, deadline: str) -> Any:
            state.players = dict.fromkeys(state.players, min(state.players.values()))
            return ()

        def resolve(self, state: Count, orders: Any, missed: Any, dice: Dice) -> Any:
            resolved = super().resolve(state, orders, missed, dice)
            resolved.state.players[r.Seat(1)] += 1
            return resolved

    assert "view changed the state that it was given; it must return a new one" in fault_of(
        Changing
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({1: "one"}, "the state.untyped is stored as {1: 'one'} and read as {'1': 'one'}; "),
        ({"a": {2, 3}}, "the state.untyped['a'] is stored as {2, 3} and read as [2, 3]; "),
        ({"a": object}, "it cannot be stored: "),
    ],
)
def test_a_state_that_the_store_changes_is_reported(value: Any, message: str) -> None:
    class Loose(Counting):
        def setup(self, seats: Any, options: Any, dice: Dice) -> Count:
            return replace(super().setup(seats, options, dice), untyped=value)

    assert fault_of(Loose).startswith(message)
    assert "dict[Seat, Player]" in fault_of(Loose)


def test_a_rulebook_that_is_missing_is_reported() -> None:
    class Bookless(Counting):
        extras = Extras(rulebook="tests:lost.md")

    assert fault_of(Bookless) == "its rulebook 'tests:lost.md' does not exist"


def hangs(*_: Any) -> Any:
    while True:
        pass


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a short time limit for functions of a ruleset."""
    monkeypatch.setattr(probe, "LONGEST_SECONDS", 2.0)


@pytest.mark.release
@pytest.mark.usefixtures("hasty")
def test_a_turn_without_an_end_is_reported() -> None:
    class Endless(Counting):
        def resolve(self, state: Count, orders: Any, missed: Any, dice: Dice) -> Any:
            return hangs() if orders[r.Seat(1)] else super().resolve(state, orders, missed, dice)

    message = "resolve of the ruleset counting has not returned after 2 seconds ("
    assert fault_of(Endless).startswith(message)
    with pytest.raises(ContractBroken, match="has not returned"):
        check(Endless(), [Position(Count(1, {r.Seat(1): 0}), {r.Seat(1): (Add("COUNT"),)})])


def test_a_thread_that_does_not_return_is_found() -> None:
    begun, end = Event(), Event()

    def waits() -> None:
        begun.set()
        end.wait()

    thread = Thread(target=waits)
    thread.start()
    begun.wait()
    places = probe.running_in(Counting())
    end.set()
    thread.join()
    assert [each for each in places if "in waits: end.wait()" in each] != []
