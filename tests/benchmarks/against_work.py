"""Work that is compared between two versions: a script that runs with either of them.

Prints the processor seconds of each part as JSON. It uses only what emails can reach, so that it
runs with versions of another inside.
"""

import gc
import json
import re
import sys
from collections.abc import Callable
from functools import partial
from time import process_time

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAMES = ("STARWEB", "STAR EMPIRES", "A FISTFUL OF PLANETS", "THE SINGULARITY TRAP", "STARFARERS")
BAD = ("F3T5", "W75B1OF119", "W1B", "please send the fleet home")
ME = "frodo@shire.example"
OTHERS = ("sam@shire.example", "pippin@tuckborough.example")
GM = "gm@example.org"
STREAM = 8


class Open(Conversation):
    """A conversation in which any letters may come, and wait to be read together."""

    waits = False

    def _nothing_unseen(self) -> None:
        self._unseen.clear()

    def _step(self) -> None:
        if not self.waits:
            super()._step()


class Site:
    """A referee with a game, whose players send emails."""

    def __init__(self, game: str, *, robots: bool = False) -> None:
        """Begin the game: with two players or three, or with *robots* in all seats but one."""
        self.talk = Open(installed_rulesets())
        if robots:
            self.talk.run(f"=== {ME} writes\n\nPLAY {game}\n")
        else:
            self._begin(game)
        letters = self.talk.person(ME).got
        self.report = next((each.text for each in letters if "T1" in each.subject), "")

    def _begin(self, game: str) -> None:
        seats = 3 if game == "STARFARERS" else 2
        created = f'CREATE {game} SEATS {seats} DEADLINE "5 days"'
        self.talk.run(f"=== {GM} writes\n\n{created}\n")
        named = re.search(r"\[(\w+-1)\b", self.talk.person(GM).got[-1].subject)
        if named is None:
            return
        self.players = [ME, *OTHERS][:seats]
        for player, name in zip(self.players, ("FRODO", "SAM", "PIPPIN"), strict=False):
            self.talk.run(f"=== {player} writes\n\nJOIN {named[1]} {name}\n")
            if "confirm" in self.talk.person(player).got[-1].subject:
                self.talk.run(f"=== {player} replies\nCONFIRM\n")

    def asks(self, words: str, player: str = ME) -> None:
        """Send an email, and get all that comes."""
        self.talk.run(f"=== {player} replies to T\n{words}\n")

    def stream(self, words: str, number: int) -> None:
        """Send emails that are read in one round."""
        self.talk.waits = True
        for _ in range(number):
            self.asks(words)
        self.talk.waits = False
        self.talk._step()

    def turn(self) -> None:
        """End the turn with the FINAL of all."""
        for player in self.players:
            self.asks("FINAL", player)
        self.talk.run("=== 1 day passes\n")


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
    words = f"CHECK\n{home[1]}B1I"

    def one_by_one() -> None:
        for _ in range(STREAM):
            site.asks(words)
        # So many letters in an hour are not answered.
        site.talk.run("=== 1 hour passes\n")

    def in_a_stream() -> None:
        site.stream(words, STREAM)
        site.talk.run("=== 1 hour passes\n")

    measured[f"{STREAM} emails one by one"] = seconds(one_by_one, times)
    measured[f"{STREAM} emails in a stream"] = seconds(in_a_stream, times)
    sheet = "\n".join(f"{home[1]}B{number}I" for number in range(1, 41))
    measured["an email with 40 orders"] = seconds(lambda: site.asks(f"CHECK\n{sheet}"), times)
    wrong = "\n".join((sheet, *BAD))
    measured["with 4 bad lines"] = seconds(lambda: site.asks(f"CHECK\n{wrong}"), times)
    measured["STATUS"] = seconds(lambda: site.asks("STATUS"), times)
    measured["HELP ORDERS"] = seconds(lambda: site.asks("HELP ORDERS"), times)
    measured["MAP ATLAS"] = seconds(lambda: site.asks("MAP ATLAS"), times)
    for game in GAMES:
        other, alone = Site(game), Site(game, robots=True)
        if other.report:
            measured[f"a turn of {game}"] = seconds(other.turn, times)
        if alone.report:
            measured[f"with robots: {game}"] = seconds(partial(alone.asks, "FINAL"), times)
    sys.stdout.write(json.dumps(measured))


if __name__ == "__main__":
    main(int(sys.argv[1]))
