"""Crash tests of a conversation: each step is killed at its points, finished, and compared."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from referee.testing.faults import run
from tests.exactly_once.house import House, Picture
from tests.exactly_once.play import STEPS, Step


@dataclass(slots=True)
class Story:
    """The result of a whole conversation and of all its crash tests."""

    sent: list[str] = field(default_factory=list)
    """The letters sent without crashes."""
    points: list[str] = field(default_factory=list)
    tried: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Aim:
    """The result of a step without crashes: its points, its final state and its letters."""

    points: Sequence[str]
    picture: Picture
    sent: Sequence[bytes]


Judge = Callable[[Aim, int, Sequence[bytes]], bool]
"""Returns whether the right letters were sent after a crash at a point."""


def tell(house: House, judge: Judge, every: int = 1, steps: Sequence[Step] = STEPS) -> Story:
    """Play the conversation, and repeat each step with a crash at every *every*-th point.

    This process must have no other threads.
    """
    _warm(house, steps)
    story = Story()
    for step in steps:
        house.post(step)
        house.keep("before")
        points = run(partial(house.serve, step), house.folder).points
        aim = Aim(points, house.picture(), house.sent())
        house.keep("after")
        for at, point in enumerate(points, 1):
            story.points.append(point)
            if len(story.points) % every == 0:
                story.tried += 1
                fault = _fault(house, step, aim, at, judge)
                story.faults += [f"{step.now}, point {at}, {point}: {fault}"] if fault else []
        house.return_to("after")
    story.sent = [raw.decode() for raw in house.sent()]
    return story


def same(aim: Aim, _at: int, sent: Sequence[bytes]) -> bool:
    """Return whether exactly the same letters were sent, each once."""
    return sent == aim.sent


def same_or_one_again(aim: Aim, at: int, sent: Sequence[bytes]) -> bool:
    """Return whether the same letters were sent, and at most the one of unknown result twice.

    The copy has the same bytes, and so the same Message-ID.
    """
    # The server has the whole letter, but its answer was not recorded.
    is_unknown = tuple(aim.points[max(at - 2, 0) : at]) == ("smtplib.send a letter", "commit")
    again = Counter(sent)
    again.subtract(Counter(aim.sent))
    return set(sent) == set(aim.sent) and again.total() == int(is_unknown)


def _warm(house: House, steps: Sequence[Step]) -> None:
    """Play it once in this process, so that the children need not load and compile anything."""
    house.keep("empty")
    for step in steps:
        house.post(step)
        house.serve(step)
    house.return_to("empty")


def _fault(house: House, step: Step, aim: Aim, at: int, judge: Judge) -> str:
    """Return the difference after a crash at a point and a restart, or ""."""
    serve = partial(house.serve, step)
    house.return_to("before")
    if not run(serve, house.folder, at).killed:
        return "it was not killed"
    run(serve, house.folder)
    if not judge(aim, at, house.sent()):
        return "other letters went out"
    found = house.picture()
    return ", ".join(f"{name} differs" for name in aim.picture if found[name] != aim.picture[name])
