"""The disturbed conversation: each step is killed at its points, finished, and compared."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from referee.testing.faults import run
from tests.exactly_once.house import House, Picture
from tests.exactly_once.play import STEPS, Step


@dataclass(slots=True)
class Story:
    """What came of a whole conversation and of all its disturbances."""

    sent: list[str] = field(default_factory=list)
    """The letters that went out undisturbed."""
    points: list[str] = field(default_factory=list)
    tried: int = 0
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a step comes to undisturbed: its points, all that is left, and all that went out."""

    points: Sequence[str]
    picture: Picture
    sent: Sequence[bytes]


Judge = Callable[[Aim, int, Sequence[bytes]], bool]
"""Says whether the letters that went out are the right ones after a death at a point."""


def tell(house: House, judge: Judge, every: int = 1, steps: Sequence[Step] = STEPS) -> Story:
    """Play the conversation, and each step again with a death at each *every*-th point of all.

    This program must have no other threads.
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
    """Say whether exactly the same letters went out, none twice."""
    return sent == aim.sent


def same_or_one_again(aim: Aim, at: int, sent: Sequence[bytes]) -> bool:
    """Say whether the same letters went out, and only that one twice whose taking is not known.

    Its twin has the same octets, and so the same Message-ID.
    """
    # The server has the whole letter, and its word was not written down.
    is_unknown = tuple(aim.points[max(at - 2, 0) : at]) == ("smtplib.send a letter", "commit")
    again = Counter(sent)
    again.subtract(Counter(aim.sent))
    return set(sent) == set(aim.sent) and again.total() == int(is_unknown)


def _warm(house: House, steps: Sequence[Step]) -> None:
    """Play it once in this program itself, so that no child has to load and compile anything."""
    house.keep("empty")
    for step in steps:
        house.post(step)
        house.serve(step)
    house.return_to("empty")


def _fault(house: House, step: Step, aim: Aim, at: int, judge: Judge) -> str:
    """Say what differs when a step dies at a point and another referee goes on; "" if nothing."""
    serve = partial(house.serve, step)
    house.return_to("before")
    if not run(serve, house.folder, at).killed:
        return "it was not killed"
    run(serve, house.folder)
    if not judge(aim, at, house.sent()):
        return "other letters went out"
    found = house.picture()
    return ", ".join(f"{name} differs" for name in aim.picture if found[name] != aim.picture[name])
