"""The contract of a ruleset by mail: a game of its cast, with all that a player can ask.

Give ``check_by_mail`` the ruleset and its cast::

    def test_a_game_goes_by_mail() -> None:
        check_by_mail(RULESET, CAST)
"""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from referee.desk.players.rulebooks import rulebook
from referee.testing.contract import ContractBroken, Rules
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import Received
from referee.testing.demonstration import GM, REPORT
from referee.testing.robots import Robot
from referee.testing.robots.cast import Cast

_DEADLINE: Final = timedelta(minutes=6)
"""After so long the deadline of a game of a cast has come; they are five minutes apart."""


def check_by_mail(rules: Rules, cast: Cast) -> None:
    """Raise ContractBroken unless the game of *cast* can be played by mail.

    In its opening everybody asks for a map and a CHECK of their orders, and one player for every
    page of HELP. It is played for the turns of the cast; if the rules have not ended it by then,
    the GM does.
    """
    with closing(Conversation({rules.info.key: rules})) as conversation, _faults() as faults:
        _Game(conversation, rules, cast, faults).play()


@contextmanager
def _faults() -> Iterator[list[str]]:
    """Return the list to which the referee adds what went wrong inside it, in a line each."""
    faults = _Faults()
    log = logging.getLogger("referee")
    log.addHandler(faults)
    try:
        yield faults.lines
    finally:
        log.removeHandler(faults)


class _Faults(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


@dataclass(slots=True)
class _Player:
    address: str
    robot: Robot
    read: int = 0
    """So many of the letters they got are read."""


@dataclass(slots=True)
class _Game:
    conversation: Conversation
    rules: Rules
    cast: Cast
    faults: list[str]
    players: list[_Player] = field(default_factory=list)
    is_over: bool = False

    def play(self) -> None:
        """Play from the creation to the end."""
        created = self._write(GM, self.cast.creation)
        name = created.subject.partition("[")[2].partition("]")[0]
        for role in self.cast.roles:
            player = _Player(f"{role.name.lower()}@players.example", role.robot())
            self.players.append(player)
            self._write(player.address, f"JOIN {name} {role.name} {role.wishes}\n")
        for turn in range(1, self.cast.turns + 1):
            self._take_turn(turn)
            if self.is_over:
                return
        self._end(created)

    def _take_turn(self, turn: int) -> None:
        """Let everybody answer their report, for which the deadline may have to come."""
        reports = self._reports()
        if not reports:
            self.conversation.pass_to(self.conversation.now + _DEADLINE)
            reports = self._reports()
        if not reports and not self.is_over:
            raise self._broken(f"turn {turn}", "brings no report")
        for player, report in reports:
            sheet = player.robot.sheet(report.text)
            if turn <= self.cast.opening:
                self._write(player.address, "MAP\n", report)
                self._write(player.address, f"CHECK\n{sheet}", report)
            if turn == 1 and player is self.players[0]:
                for topic in self._topics():
                    self._write(player.address, f"{topic}\n", report)
            if sheet:
                self._write(player.address, f"{sheet}\nFINAL\n", report)

    def _end(self, created: Received) -> None:
        """Let the GM end the game, of which everybody must hear."""
        self._reports()
        asked = self._write(GM, "END GAME\n", created)
        self._write(GM, "CONFIRM\n", asked)
        for player in self.players:
            if len(self.conversation.person(player.address).got) == player.read:
                raise self._broken("END GAME", f"mails nothing to {player.address}")

    def _topics(self) -> Iterator[str]:
        """Return every page of HELP that the ruleset has a part in."""
        title = self.rules.info.title.upper()
        book = rulebook(self.rules)
        yield from ("HELP", "HELP ORDERS", f"HELP {title}")
        yield from (f"HELP {title} {each.word}" for each in (book.chapters if book else ()))

    def _reports(self) -> list[tuple[_Player, Received]]:
        """Return the reports that nobody has read yet, each with its player."""
        found = []
        for player in self.players:
            got = self.conversation.person(player.address).got
            new, player.read = got[player.read :], len(got)
            for letter in new:
                report = REPORT.search(letter.subject)
                self.is_over |= report is not None and bool(report[2])
                found += [(player, letter)] if report is not None else []
        return [] if self.is_over else found

    def _write(self, address: str, body: str, answered: Received | None = None) -> Received:
        """Write a letter and give the answer. Raises ContractBroken if none comes."""
        person, now = self.conversation.person(address), self.conversation.now
        before = len(person.got)
        if answered is None:
            self.conversation.arrive(person.letter(ADDRESS, "", body, now, {}))
        else:
            raw = person.reply(answered, body, now, {})
            self.conversation.arrive(raw, answered.reply_to)
        if len(person.got) == before:
            raise self._broken(body.split("\n")[0], f"gets no answer; it was sent by {address}")
        return person.got[before]

    def _broken(self, what: str, how: str) -> ContractBroken:
        """Return the error, with what the referee wrote into its log."""
        return ContractBroken("\n".join((f"{what} {how}", *self.faults)))
