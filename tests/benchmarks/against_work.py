"""Work that is compared between two versions: a script that runs with either of them.

Prints the processor seconds of each part as JSON: of emails, and of turns of all games or of those
that are named. It uses only what emails can reach, so that it
runs with versions of another inside.
"""

import gc
import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import partial
from time import process_time
from typing import Any

from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation

GAMES = ("STARWEB", "STAR EMPIRES", "A FISTFUL OF PLANETS", "THE SINGULARITY TRAP", "STARFARERS")
BAD = ("F3T5", "W75B1OF119", "W1B", "please send the fleet home")
ME = "frodo@shire.example"
OTHERS = ("sam", "pippin", "merry", "rosie", "bilbo", "fredegar", "hamfast")
GM = "gm@example.org"
STREAM = 8
PLAYERS = [ME, *(f"{name}@shire.example" for name in OTHERS)]


class Open(Conversation):
    """A conversation in which any letters may come, and wait to be read together.

    *spent* has the processor seconds of the referee alone: emails stored, rounds, and sending. Its
    people write, parse and keep emails, and its probes watch the rulesets; none of that is the work
    of a referee, and it differs between versions: at 55b5765 it was a third of an email in a
    stream.
    """

    waits = False
    spent = 0.0

    def __init__(self) -> None:
        super().__init__(installed_rulesets())
        for name in ("step", "send"):
            setattr(self.daemon, name, partial(self._counted, getattr(self.daemon, name)))

    def _counted(self, work: Callable[..., Any], *given: object) -> Any:
        begun = process_time()
        done = work(*given)
        self.spent += process_time() - begun
        return done

    def _app(self, _probed: object) -> Any:
        return super()._app(installed_rulesets())

    def _accept(self, arrival: Any) -> int:
        stored: int = self._counted(super()._accept, arrival)
        return stored

    def _nothing_unseen(self) -> None:
        self._unseen.clear()

    def _step(self) -> None:
        if not self.waits:
            super()._step()


class Site:
    """A referee with a game, whose players send emails."""

    def __init__(self, game: str, seats: int = 2, *, robots: bool = False) -> None:
        """Begin the game: with a player in each of its seats, or with *robots* in all but one."""
        self.talk = Open()
        self.players = PLAYERS[:seats]
        if robots:
            self.talk.run(f"=== {ME} writes\n\nPLAY {game}\n")
        else:
            self._begin(game)
        self.report = self.first_report(ME)
        is_starweb = game == "STARWEB" and not robots
        self.homes = {each: self.home(each) for each in self.players if is_starweb}

    def first_report(self, player: str) -> str:
        """Return the text of the first report of a player, or ""."""
        letters = self.talk.person(player).got
        return next((each.text for each in letters if "T1" in each.subject), "")

    def home(self, player: str) -> str:
        """Return the home of a player of StarWeb."""
        owned = rf"^(W\d+) \([\d,]*\) \[{player.partition('@')[0]}\]"
        found = re.search(owned, self.first_report(player), re.MULTILINE | re.IGNORECASE)
        assert found is not None
        return found[1]

    def _begin(self, game: str) -> None:
        created = f'CREATE {game} SEATS {len(self.players)} DEADLINE "5 days"'
        self.talk.run(f"=== {GM} writes\n\n{created}\n")
        named = re.search(r"\[(\w+-1)\b", self.talk.person(GM).got[-1].subject)
        if named is None:
            return
        for player in self.players:
            name = player.partition("@")[0].upper()
            self.talk.run(f"=== {player} writes\n\nJOIN {named[1]} {name}\n")
            if "confirm" in self.talk.person(player).got[-1].subject:
                self.talk.run(f"=== {player} replies\nCONFIRM\n")

    def asks(self, words: str, player: str = ME) -> None:
        """Send an email, and get all that comes."""
        self.talk.run(f"=== {player} replies to T\n{words}\n")

    def one_by_one(self) -> None:
        """Send an order of each player for their home, which is answered before the next."""
        for player, home in self.homes.items():
            self.asks(f"CHECK\n{home}B1I", player)

    def stream(self) -> None:
        """Send an order of each player for their home; all are read in one round."""
        self.talk.waits = True
        self.one_by_one()
        self.talk.waits = False
        self.talk._step()

    def turn(self) -> None:
        """End the turn with the FINAL of all."""
        for player in self.players:
            self.asks("FINAL", player)
        self.talk.run("=== 1 day passes\n")

    def seconds(self, work: Callable[[], object], times: int) -> float:
        """Return the referee's processor seconds for *work*: the least of so many times.

        An hour passes each time: so many emails in an hour are not answered. What the parts before
        left behind is the cost of none.
        """
        each = []
        for _ in range(times + 1):
            gc.collect()
            begun = self.talk.spent
            work()
            each.append(self.talk.spent - begun)
            self.talk.run("=== 1 hour passes\n")
        return min(each)


def letters(times: int) -> dict[str, float]:
    """Return the seconds of each kind of email."""
    site = Site("STARWEB", STREAM)
    sheet = "\n".join(f"{site.homes[ME]}B{number}I" for number in range(1, 41))
    parts: dict[str, Callable[[], object]] = {
        f"{STREAM} emails one by one": site.one_by_one,
        f"{STREAM} emails in a stream": site.stream,
        "an email with 40 orders": partial(site.asks, f"CHECK\n{sheet}"),
        "with 4 bad lines": partial(site.asks, "\n".join(("CHECK", sheet, *BAD))),
    }
    parts |= {each: partial(site.asks, each) for each in ("STATUS", "HELP ORDERS", "MAP ATLAS")}
    return {name: site.seconds(work, times) for name, work in parts.items()}


def turns(times: int, games: Sequence[str]) -> dict[str, float]:
    """Return the seconds of a turn of each game, with players and with robots."""
    found = dict[str, float]()
    for game in games:
        other, alone = Site(game, 3 if game == "STARFARERS" else 2), Site(game, robots=True)
        if other.report:
            found[f"a turn of {game}"] = other.seconds(other.turn, times)
        if alone.report:
            work = partial(alone.asks, "FINAL")
            found[f"with robots: {game}"] = alone.seconds(work, times)
    return found


if __name__ == "__main__":
    number, chosen = int(sys.argv[1]), sys.argv[2:] or GAMES
    sys.stdout.write(json.dumps(letters(number) | turns(number, chosen)))
