"""The codec: states survive a round trip, and equal states give equal bytes."""

import subprocess
import sys
from dataclasses import dataclass, field, make_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import NewType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import StateUnreadable
from referee.rules.ruleset import Seat
from referee.rulesets.starweb.orders import ArtifactNumber, FleetNumber, WorldNumber
from referee.rulesets.starweb.state import Character, Departure, Echo, Fleet, Player, State, World
from referee.store.database import codec

Number = NewType("Number", int)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"
    GREY = "grey"


class Size(Enum):
    SMALL = 1
    BIG = 10


@dataclass(frozen=True, slots=True)
class Leaf:
    colours: frozenset[Colour]
    pairs: set[tuple[int, str]]
    share: float | None = None
    size: Size = Size.SMALL


@dataclass(slots=True)
class Tree:
    leaves: dict[Number, Leaf]
    by_colour: dict[Colour, list[Leaf]]
    names: dict[str, tuple[Leaf, ...]] = field(default_factory=dict)
    on: bool = False


_leaves = st.builds(
    Leaf,
    st.frozensets(st.sampled_from(Colour)),
    st.sets(st.tuples(st.integers(-(2**53), 2**53), st.text(max_size=3)), max_size=4),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(Size),
)
_trees = st.builds(
    Tree,
    st.dictionaries(st.integers(0, 9).map(Number), _leaves, max_size=3),
    st.dictionaries(st.sampled_from(Colour), st.lists(_leaves, max_size=2)),
    st.dictionaries(st.text(max_size=3), st.tuples(_leaves), max_size=2),
    st.booleans(),
)


@given(_trees)
def test_a_state_survives_a_round_trip(tree: Tree) -> None:
    assert codec.decode(codec.encode(tree).content, Tree) == tree


@given(_trees)
def test_the_order_of_insertion_does_not_matter(tree: Tree) -> None:
    turned = replace(
        tree,
        leaves=dict(reversed(tree.leaves.items())),
        names=dict(reversed(tree.names.items())),
    )
    assert codec.encode(turned) == codec.encode(tree)


@pytest.mark.slow
def test_every_run_of_python_gives_the_same_bytes() -> None:
    program = (
        "from referee.store.database import codec; from tests.store.database.test_codec import *; "
        "print(codec.encode(a_game()).digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert digests == {codec.encode(a_game()).digest}


def test_a_game_of_starweb_survives_a_round_trip() -> None:
    assert codec.decode(codec.encode(a_game()).content, State) == a_game()


def test_another_state_has_another_digest() -> None:
    game = a_game()
    game.worlds[WorldNumber(2)].iships += 1
    assert codec.encode(game).digest != codec.encode(a_game()).digest


def test_unsupported_types_in_a_state_are_rejected() -> None:
    with pytest.raises(TypeError, match="object"):
        codec.encode(Echo(text=object()))  # type: ignore[arg-type]


@pytest.mark.parametrize("content", [b"", b"no zlib", codec.encode(Echo("F1W2")).content])
def test_bytes_that_are_not_a_state_are_unreadable(content: bytes) -> None:
    with pytest.raises(StateUnreadable, match="State"):
        codec.decode(content, State)


@dataclass(slots=True)
class OldGrove:
    trees: dict[Number, list[Leaf]]


@dataclass(slots=True)
class Grove:
    """The later form of OldGrove: a new part, and one that was renamed."""

    woods: dict[Number, list[Leaf]] = field(default_factory=dict)


@dataclass(slots=True)
class WiderGrove(OldGrove):
    name: str = "Fangorn"


def test_a_part_that_the_rules_no_longer_have_is_not_lost_in_silence() -> None:
    content = codec.encode(OldGrove({Number(1): []})).content
    with pytest.raises(StateUnreadable) as caught:
        codec.decode(content, Grove)
    assert str(caught.value) == (
        "a stored Grove has 'trees', which the installed Grove does not have"
    )


def test_a_new_part_begins_with_its_default() -> None:
    stored = codec.encode(OldGrove({Number(1): []})).content
    assert codec.decode(stored, WiderGrove) == WiderGrove({Number(1): []})


def test_a_renamed_part_within_lists_and_dicts_is_found() -> None:
    @dataclass(frozen=True)
    class OldLeaf:
        hue: str = ""

    @dataclass(frozen=True)
    class NewLeaf:
        tint: str = ""

    old = make_dataclass("Old", [("leaves", dict[int, tuple[OldLeaf, ...]])])
    new = make_dataclass("New", [("leaves", dict[int, tuple[NewLeaf, ...]])])
    content = codec.encode(old({1: (OldLeaf("red"),)})).content
    with pytest.raises(StateUnreadable, match="a stored New has 'hue'"):
        codec.decode(content, new)


def a_game() -> State:
    """Return a state in which every kind of field has a value."""
    one, two = Seat(1), Seat(2)
    worlds = [
        World(WorldNumber(n), (WorldNumber(n + 1),), owner=one, artifacts=[ArtifactNumber(n)])
        for n in (255, 2, 10, 1)
    ]
    fleets = [Fleet(FleetNumber(n), WorldNumber(2), ships=n, did="Moved") for n in (9, 100)]
    player = Player(
        one,
        "CERES",
        Character.PIRATE,
        WorldNumber(2),
        met=[two],
        allies={two},
        loaders={two, one},
        sign=("KEEP", "OUT"),
        charted={WorldNumber(n): {WorldNumber(9): n} for n in (255, 2, 10, 1)},
        echo=(Echo("F9W10", "too far"),),
    )
    return State(
        turn=3,
        worlds={world.number: world for world in worlds},
        fleets={fleet.number: fleet for fleet in fleets},
        players={one: player},
        departures=[Departure(WorldNumber(2), FleetNumber(9), one, WorldNumber(10))],
    )
