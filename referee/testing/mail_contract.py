"""The contract of a ruleset by mail: a game of its cast, with every question a player can ask.

Pass the ruleset and its cast to ``check_by_mail``::

    def test_a_game_goes_by_mail() -> None:
        check_by_mail(RULESET, CAST)
"""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from importlib.metadata import entry_points
from typing import Any, Final

from referee import plugins
from referee.desk.base.rulebooks import rulebook
from referee.rules.extras import extras_of
from referee.testing.casts import installed
from referee.testing.casts.cast import Cast, Role
from referee.testing.contract import ContractBroken, Rules, check, opening, returning
from referee.testing.conversation import ADDRESS, Conversation
from referee.testing.correspondents import Received
from referee.testing.demonstration import GM
from referee.testing.mailbox import REPORT, Mailbox
from referee.testing.probe import RulesProbe

_DEADLINE: Final = timedelta(minutes=6)
"""A time after which the deadline of a cast's game has passed; deadlines are five minutes apart."""


def check_by_mail(rules: Rules, cast: Cast) -> None:
    """Raise ContractBroken unless the game of *cast* can be played by mail.

    First, the start of a game must keep the contract of ``check``. In the opening of the game, all
    players ask for a map and a CHECK of their orders, and one of them for every page of HELP. The
    robot of the ruleset plays it for the turns of the cast. The rules must end it by then, or the
    GM if the cast does not play to the end.
    """
    check(rules, ())
    if extras_of(rules).robot is None:
        raise ContractBroken("no robot can play the cast; give the ruleset one in its extras")
    check(rules, [opening(rules)])
    if misnamed := [*_misnamed(rules, cast)]:
        raise ContractBroken("\n".join(misnamed))
    probe: Any = RulesProbe(rules, checks_states=True)
    talk = Conversation({rules.info.key: probe})
    with closing(talk), _faults() as faults, returning():
        _Game(talk, probe, cast, faults).play()
    if probe.faults:
        raise ContractBroken("\n".join(probe.faults))


def _misnamed(rules: Rules, cast: Cast) -> Iterator[str]:
    """Yield the entry points that have the ruleset or its cast under a key other than its own."""
    key, package = rules.info.key, type(rules).__module__.partition(".")[0]
    for group, found in ((plugins.GROUP, rules), (installed.GROUP, cast)):
        for point in entry_points(group=group):
            is_ours = point.module.partition(".")[0] == package
            if is_ours and point.name != key and point.load() is found:
                yield (
                    f"the entry point {point.name!r} of {group} is {point.value}, and the key in "
                    f"the info of the ruleset is {key!r}; write the same name in both"
                )


@contextmanager
def _faults() -> Iterator[list[str]]:
    """Yield the list to which the referee adds its own faults, one line each."""
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
    role: Role
    read: int = 0
    """The number of their letters that are read."""

    @property
    def address(self) -> str:
        return f"{self.role.name.lower()}@players.example"


@dataclass(slots=True)
class _Game:
    conversation: Conversation
    rules: Rules
    cast: Cast
    faults: list[str]
    players: list[_Player] = field(default_factory=list)
    is_over: bool = False
    name: str = ""
    is_played: bool = False
    """Whether a robot sent an order."""

    def play(self) -> None:
        """Play from the creation to the end, or until a function of the rules has failed."""
        created = self._write(GM, self.cast.creation)
        self.name = created.subject.partition("[")[2].partition("]")[0]
        if not self.name:
            begins = f"CREATE {self.rules.info.key.upper()}"
            how = f"creates no game; it should begin with {begins}. The answer was:\n"
            raise self._broken("the creation of the cast", f"{how}{created.shown}")
        for role in self.cast.roles:
            player = _Player(role)
            self.players.append(player)
            self._write(player.address, f"JOIN {self.name} {role.name} {role.wishes}\n")
        for turn in range(1, self.cast.turns + 1):
            self._take_turn(turn)
            if self.is_over:
                break
        self._reports()
        if self.conversation.faults:
            return
        if not self.is_played:
            raise self._broken("the robots", "sent no order in the whole game")
        if self.is_over:
            return
        if self.cast.ends:
            raise self._broken(
                f"the game of the cast did not end within {self.cast.turns} turns:",
                "verdict returns None. Let the robots or the options end it sooner, give the cast "
                "more turns, or write ends=False in it if it is not played to the end",
            )
        self._end(created)

    def _take_turn(self, turn: int) -> None:
        """Send the answers of all players to their reports, after the deadline if necessary."""
        reports = self._reports()
        if not reports:
            self.conversation.pass_to(self.conversation.now + _DEADLINE)
            reports = self._reports()
        if not reports and not self.is_over:
            last = [got[-1].shown for each in self.players if (got := self._letters_of(each))]
            raise self._broken(f"turn {turn}", "\n".join(("sends no report", *last[:1])))
        for player, report in reports:
            sheet = self._mailbox.answer(report.subject, player.role.strength)
            if turn <= self.cast.opening:
                self._write(player.address, "MAP\n", report)
                self._write(player.address, f"CHECK\n{sheet}", report)
            if turn == 1 and player is self.players[0]:
                for topic in self._topics():
                    self._write(player.address, f"{topic}\n", report)
            if sheet:
                self.is_played |= not sheet.isspace()
                self._write(player.address, f"{sheet}\nFINAL\n", report)

    @property
    def _mailbox(self) -> Mailbox:
        return Mailbox(self.conversation.store, self.conversation.daemon.app.site)

    def _letters_of(self, player: _Player) -> list[Received]:
        return self.conversation.person(player.address).got

    def _end(self, created: Received) -> None:
        """End the game as the GM, and check that all players are mailed."""
        asked = self._write(GM, "END GAME\n", created)
        self._write(GM, "CONFIRM\n", asked)
        for player in self.players:
            if len(self._letters_of(player)) == player.read:
                raise self._broken("END GAME", f"sends nothing to {player.address}")

    def _topics(self) -> Iterator[str]:
        """Yield every page of HELP that the ruleset contributes to."""
        title = self.rules.info.title.upper()
        book = rulebook(self.rules)
        yield from ("HELP", "HELP ORDERS", f"HELP {title}")
        yield from (f"HELP {title} {each.word}" for each in (book.chapters if book else ()))

    def _reports(self) -> list[tuple[_Player, Received]]:
        """Return the unread reports, each with its player."""
        found = []
        for player in self.players:
            got = self._letters_of(player)
            new, player.read = got[player.read :], len(got)
            for letter in new:
                report = REPORT.search(letter.subject)
                self.is_over |= report is not None and bool(report["final"])
                found += [(player, letter)] if report is not None else []
        return [] if self.is_over else found

    def _write(self, address: str, body: str, answered: Received | None = None) -> Received:
        """Write a letter and return the answer. Raises ContractBroken if none comes."""
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
        """Return the error, with the exceptions of the rules and the log of the referee."""
        return ContractBroken("\n".join((f"{what} {how}", *self.conversation.faults, *self.faults)))
