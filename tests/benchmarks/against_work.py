"""Work that is compared between two versions: a script that runs with either of them.

Prints the processor seconds of each part as JSON. It uses only what emails can reach, so that it
runs with versions of another inside.
"""

import gc
import json
import re
import sys
from collections.abc import Callable
from time import process_time

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAMES = ("STARWEB", "STAR EMPIRES", "A FISTFUL OF PLANETS", "THE SINGULARITY TRAP", "STARFARERS")
BAD = ("F3T5", "W75B1OF119", "W1B", "please send the fleet home")
ME = "frodo@shire.example"
GETS = f"=== {ME} gets mail\n"


class Site:
    """A referee with a game, whose players send emails one by one."""

    def __init__(self, game: str) -> None:
        """Begin the game, with robots in all other seats."""
        self.talk = Conversation(installed_rulesets())
        self.talk.run(f"=== {ME} writes\n\nPLAY {game}\n{GETS}")
        self.report = self.talk.person(ME).got[-1].text

    def asks(self, words: str) -> None:
        """Send an email, and get all that comes."""
        self.talk.run(f"=== {ME} replies to [\n{words}\n\n{GETS}")

    def turn(self) -> None:
        """End the turn at once."""
        self.asks("FINAL")


def seconds(work: Callable[[], object], times: int) -> float:
    """Return the processor seconds of doing *work* so many times, after once without counting.

    What the parts before left behind is collected first: all of it is the cost of none.
    """
    work()
    gc.collect()
    begun = process_time()
    for _ in range(times):
        work()
    return process_time() - begun


def main(times: int) -> None:
    """Measure each part *times* times, and print all."""
    measured = dict[str, float]()
    site = Site("STARWEB")
    home = re.search(r"^(W\d+) \(", site.report, re.MULTILINE)
    assert home is not None
    sheet = "\n".join(f"{home[1]}B{number}I" for number in range(1, 41))
    measured["an email with 40 orders"] = seconds(lambda: site.asks(f"CHECK\n{sheet}"), times)
    wrong = "\n".join((sheet, *BAD))
    measured["with 4 bad lines"] = seconds(lambda: site.asks(f"CHECK\n{wrong}"), times)
    measured["STATUS"] = seconds(lambda: site.asks("STATUS"), times)
    measured["HELP ORDERS"] = seconds(lambda: site.asks("HELP ORDERS"), times)
    measured["MAP ATLAS"] = seconds(lambda: site.asks("MAP ATLAS"), times)
    for game in GAMES:
        other = Site(game)
        measured[f"a turn of {game}"] = seconds(other.turn, times)
    sys.stdout.write(json.dumps(measured))


if __name__ == "__main__":
    main(int(sys.argv[1]))
