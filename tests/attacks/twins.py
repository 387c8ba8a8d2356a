"""Twin games: they differ only in what a sender may not know, and so must all their answers."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Final

from referee.desk.base.loaded_games import ruleset_of
from referee.desk.games import vacancies
from referee.desk.orders.command_entries import Effect, For
from referee.desk.reception.commands import COMMANDS
from referee.domain import commands as c
from referee.domain import gm_commands as gm
from referee.domain.votes import Motion, Quorum, VoteResult
from referee.rules.extras import Strength
from referee.store import Session
from referee.store.database import codec
from referee.store.games import audit, games
from referee.store.games.votes import Vote
from referee.store.models import Game, InboxLetter, Person, SeatRow, Sheet
from referee.store.people import admissions, people
from referee.store.people.absences import Absence
from referee.store.people.admissions import AdmissionState
from referee.store.people.deputies import Deputy, DeputyState
from referee.store.people.former_players import LeaveReason
from referee.testing.correspondents import proven
from tests.attacks.siege import FRODO, MALLORY, Siege
from tests.support.rulesets import RULESETS

PIPPIN: Final = "pippin@took.example"
BEGINS: Final = """
=== it is 2026-09-01 12:00 UTC
=== gm@example.org writes
CREATE STARWEB SEATS 5 DEADLINE "90 days"
=== frodo@shire.example writes
JOIN SW-1 FRODO AS Empire Builder
=== sam@gamgee.example writes
JOIN SW-1 SAM AS Empire Builder
=== pippin@took.example writes
JOIN SW-1 PIPPIN AS Empire Builder REAL NAME Peregrin Took
=== legolas@mirkwood.example writes
JOIN SW-1 LEGOLAS AS Empire Builder
=== gm@example.org writes
GM SW-1
OBSERVERS ON DELAY 0
OPTION PRESS ALL
=== gm@example.org replies
CONFIRM
=== boromir@gondor.example writes
JOIN SW-1 BOROMIR AS Empire Builder
=== boromir@gondor.example replies to T1
RESIGN
=== boromir@gondor.example replies to confirm
CONFIRM
=== faramir@gondor.example writes
TAKEOVER SW-1
=== faramir@gondor.example replies to confirm
CONFIRM
=== gimli@erebor.example writes
OBSERVE SW-1
=== gimli@erebor.example replies to confirm
CONFIRM
=== frodo@shire.example replies to T1
DEPUTY rosie@bywater.example FROM 1 September TO 29 September
=== frodo@shire.example replies to confirm
CONFIRM
=== rosie@bywater.example replies to deputy
CONFIRM
=== gm@example.org writes
CREATE STARWEB SEATS 2 DEADLINE "90 days"
=== gm@example.org writes
GM SW-2
PROMOTE elrond@rivendell.example
=== gm@example.org replies to confirm
CONFIRM
=== thorin@erebor.example writes
JOIN SW-2 THORIN AS Empire Builder
=== balin@erebor.example writes
JOIN SW-2 BALIN AS Empire Builder
=== gm@example.org writes
CREATE STARWEB SEATS 3 DEADLINE "90 days"
=== gm@example.org writes
GM SW-3
PROMOTE elrond@rivendell.example
=== gm@example.org replies to confirm
CONFIRM
=== merry@buckland.example writes
JOIN SW-3 MERRY AS Empire Builder
=== merry@buckland.example replies
RESIGN
=== merry@buckland.example replies to confirm
CONFIRM
"""
"""SW-1 in its first turn, SW-2 and SW-3 of another GM, and everybody who may not know all of it."""


class TwinGame(Siege):
    """The games of BEGINS: in SW-1 only Frodo and Sam have met."""

    begins: ClassVar[str] = BEGINS

    def __init__(self) -> None:
        """Begin with nothing that the twin of the game does not have."""
        super().__init__()
        with self.store.write() as session:
            game = found(session)
            turn = games.turn_of(session, game, game.turn)
            rules = ruleset_of(RULESETS, game.ruleset)
            state = codec.decode(turn.state, rules.state_type)
            one, other = (row.number for row in game.seats if row.name in ("FRODO", "SAM"))
            state.players[one].met.append(other)
            state.players[other].met.append(one)
            encoded = codec.encode(state)
            turn.state, turn.digest = encoded.content, encoded.digest

    def answers(self, sender: "Sender", letter: str) -> list[str]:
        """Return what the sender gets for a letter, and for the CONFIRM that it asks for."""
        self.later(hours=1)
        person, before = self.person(sender.address), len(self.person(sender.address).got)
        if sender.replies_to:
            self.reply(sender.address, letter, sender.replies_to)
        else:
            raw = person.letter("games@referee.example", "", letter, self.now, {})
            self._arrive(proven(raw), "games@referee.example")
        # A newcomer may know which seat they have.
        may_know = "TAKEOVER" in letter
        if len(person.got) > before and not may_know and "confirm" in person.got[-1].subject:
            self.reply(sender.address, "CONFIRM\n")
        told = [f"{each.subject}\n{each.whole_text}" for each in person.got[before:]]
        # Robots of SW-3 get their names by chance, and one twin can have asked it more often.
        return [re.sub(r"(SW-3 has no seat \w+)\. Its seats: .*", r"\1.", each) for each in told]


def found(session: Session) -> Game:
    """Return the game that has a twin."""
    game = games.by_name(session, "SW-1")
    assert game is not None
    return game


def _seat(session: Session, name: str) -> SeatRow:
    return next(row for row in found(session).seats if row.name == name)


@dataclass(frozen=True, slots=True)
class Sender:
    """Somebody who may not know all of SW-1; *replies_to* are words of the email they answer."""

    address: str
    replies_to: str = ""
    heading: str = "SW-1"


SENDERS: Final[Mapping[str, Sender]] = {
    "a stranger": Sender(MALLORY),
    "a stranger who claims a seat": Sender(MALLORY, heading="SW-1 [PIPPIN]"),
    "a person without a seat": Sender("merry@buckland.example"),
    "a former player": Sender("boromir@gondor.example", "T1"),
    "a former player in a new email": Sender("boromir@gondor.example"),
    "a player": Sender(FRODO, "T1 FRODO", ""),
    "a player who claims a seat": Sender(FRODO, heading="SW-1 [PIPPIN]"),
    "an observer": Sender("gimli@erebor.example"),
    "a deputy": Sender("rosie@bywater.example", "you now send orders", ""),
    "a GM of another game": Sender("elrond@rivendell.example", heading="GM SW-1"),
    "a GM in another game": Sender("elrond@rivendell.example", heading="GM SW-2"),
    "a GM in a game that forms": Sender("elrond@rivendell.example", heading="GM SW-3"),
}

LINES: Final[Mapping[type[c.Command], Sequence[str]]] = {
    c.ShowRules: ("RULES", "RULES SW-1"),
    c.ListGames: ("LIST",),
    c.ListPlay: ("PLAY",),
    c.Status: ("STATUS",),
    c.ShowPlayers: ("WHO",),
    c.ShowStandby: ("STANDBY",),
    c.ShowReport: ("REPORT", "REPORT 1", "REPORT FULL"),
    c.ShowMap: ("MAP",),
    c.ShowAtlas: ("MAP ATLAS",),
    c.ShowOrders: ("ORDERS",),
    c.ShowStanding: ("STANDING",),
    c.ShowDiary: ("DIARY",),
    c.History: ("HISTORY", "HISTORY 1"),
    c.ShowSettings: ("SET",),
    c.ShowStored: ("MY DATA",),
    c.Help: ("HELP", "HELP SAM", "HELP PIPPIN"),
    gm.ListRules: ("RULES LIST",),
    gm.ShowPool: ("STANDBY",),
    gm.ShowObservers: ("OBSERVERS LIST",),
    gm.ShowCode: ("CODE",),
    gm.ShowAdmissions: ("ALLOW",),
    gm.ShowSheets: ("SHEETS",),
    gm.ShowReportOf: ("REPORT OF PIPPIN", "REPORT OF SAM"),
    gm.ShowAudit: ("AUDIT",),
    gm.ShowQuarantine: ("QUARANTINE",),
    gm.Preview: ("PREVIEW",),
    gm.Replay: ("REPLAY",),
    c.CastVote: (
        "VOTE CONCEDE TO PIPPIN",
        "VOTE CONCEDE TO SAM",
        "VOTE HOLD",
        "VOTE DRAW YES",
        "VOTE GM ME",
    ),
    c.NameDeputy: (f"DEPUTY {PIPPIN} FROM 5 October TO 6 October",),
    c.DropDeputy: ("DEPUTY NONE",),
    c.Absent: ("ABSENT FROM 5 October TO 6 October",),
    c.NoAbsence: ("ABSENT NONE",),
    c.Join: ("JOIN SW-1", "JOIN SW-1 PIPPIN", "JOIN SW-3 GIMLI REAL NAME Peregrin Took"),
    c.StandBy: ("STANDBY SW-1", "STANDBY ALL"),
    c.StandDown: ("STANDBY OFF SW-1", "STANDBY OFF"),
    c.Decline: ("DECLINE",),
    c.StopObserving: ("OBSERVE SW-1 OFF",),
    c.Observe: ("OBSERVE SW-1",),
    c.SetZone: ("SET ZONE Europe/Berlin",),
    c.SetName: ("SET NAME Peregrin Took",),
    c.SetAttachments: ("SET ATTACHMENTS MAP",),
    c.SetFormat: ("SET FORMAT TEXT",),
    c.SetReminders: ("SET REMINDERS 1 day",),
    c.SetDigest: ("SET DIGEST ON", "SET DIGEST OFF"),
    c.SetHtml: ("SET HTML ON", "SET HTML OFF"),
    c.SetQuiet: ("SET QUIET NONE",),
    c.SetSecondAddress: (f"SET SECOND ADDRESS {PIPPIN}", "SET SECOND ADDRESS NONE"),
    c.SetAddress: (f"SET ADDRESS {PIPPIN}",),
    c.SetRevealed: ("SHARE NAME YES",),
    c.DeleteEntry: ("DIARY DELETE 1",),
    c.Final: ("FINAL",),
    c.Wait: ("WAIT",),
    c.NoStanding: ("STANDING NONE",),
    c.RunStanding: ("STANDING NOW",),
    c.Add: ("ADD",),
    c.Cancel: ("CANCEL F1W2",),
    c.Recall: ("CANCEL #1",),
    c.Clear: ("CLEAR",),
    c.Undo: ("UNDO",),
    c.Check: ("CHECK",),
    c.CountOrders: ("ORDERS 1",),
    c.Confirm: ("CONFIRM",),
    c.Create: ("CREATE STARWEB",),
    gm.SaveRules: ("RULES SAVE MINE",),
    gm.DropRules: ("RULES DROP MINE",),
    gm.GiveDeputy: (f"DEPUTY PIPPIN {PIPPIN} FROM 5 October TO 6 October",),
    gm.TakeDeputy: ("DEPUTY PIPPIN NONE",),
    gm.OpenToObservers: ("OBSERVERS ON",),
    gm.CloseToObservers: ("OBSERVERS OFF",),
    gm.OfferSeat: ("STANDBY OFFER PIPPIN",),
    gm.SetStandby: ("STANDBY OFF",),
    gm.NewCode: ("CODE NEW",),
    gm.Allow: (f"ALLOW {PIPPIN}",),
    gm.Exclude: (f"EXCLUDE {PIPPIN}",),
    gm.Approve: ("APPROVE #1",),
    gm.Refuse: ("REFUSE #1",),
    gm.SetOptions: ("OPTION private=no",),
    gm.SetSeats: ("SEATS 6",),
    gm.SetTitle: ("TITLE Hello",),
    gm.SetPress: ("OPTION PRESS MET",),
    gm.SetStart: ("START BY GM",),
    gm.SetCallOff: ("CALL OFF NONE",),
    gm.Broadcast: ("BROADCAST\nHello\nEND",),
    gm.Promote: (f"PROMOTE {PIPPIN}",),
    gm.Demote: (f"DEMOTE {PIPPIN}",),
    gm.Correct: ("CORRECT\nHello\nEND",),
    gm.Resume: ("RESUME",),
    gm.Hold: ("HOLD",),
    gm.SetSchedule: ("SCHEDULE 80 days",),
    gm.SetDeadline: ("DEADLINE 1 December 2026 20:00 UTC",),
    gm.Extend: ("EXTEND 1 day",),
    gm.Remind: ("REMIND NOW",),
    gm.TakeBack: ("UNDO",),
    gm.SetExtensions: ("OPTION EXTENSIONS 9 days",),
    gm.SetGrace: ("OPTION GRACE 1 hour",),
    gm.SetBank: ("OPTION BANK 1 day",),
    gm.SetMissed: ("OPTION MISSED 3",),
    gm.SetReminders: ("OPTION REMINDERS 1 day",),
    gm.Invite: (f"INVITE {PIPPIN}",),
    gm.GiveSeat: (f"ASSIGN {PIPPIN}",),
    gm.SeatRobot: ("ASSIGN ROBOT",),
    gm.Replace: (f"REPLACE PIPPIN {PIPPIN}", f"REPLACE THORIN {PIPPIN}"),
    gm.ReplaceByRobot: ("REPLACE PIPPIN ROBOT",),
    gm.Vacate: ("VACATE PIPPIN",),
    gm.Eliminate: ("ELIMINATE PIPPIN",),
    gm.Reinstate: ("ELIMINATE PIPPIN UNDO",),
    gm.AcceptLate: ("ACCEPT LATE PIPPIN #1",),
    gm.FileOrders: ("ORDERS FOR PIPPIN\nF1W2\nEND",),
    gm.TakeBackOrders: ("ORDERS FOR PIPPIN UNDO",),
    gm.Reveal: ("REVEAL",),
    gm.Rollback: ("ROLLBACK",),
    gm.Resolve: ("RESOLVE",),
    gm.Start: ("START",),
    gm.EndGame: ("END GAME",),
    c.RenewTokens: ("SET TOKENS NEW",),
    c.Resign: ("RESIGN",),
    c.TakeOver: ("TAKEOVER SW-1", "TAKEOVER SW-1 PIPPIN", "TAKEOVER SW-1 FARAMIR", "TAKEOVER"),
    c.Play: ("PLAY STARWEB",),
    c.ForgetMe: ("FORGET ME",),
}
"""The lines that try each command, in their sequence: the last ones end something for good."""
BLOCKS: Final = (
    "PRESS TO SAM\nHello\nEND",
    "PRESS TO PIPPIN\nHello\nEND",
    "PRESS TO LEGOLAS\nHello\nEND",
    "PRESS TO ALL\nHello\nEND",
    "PRESS TO GM\nHello\nEND",
    "STANDING\nF1W2\nEND",
    "DIARY\nHello\nEND",
    "F1W2",
)
"""What a letter can have besides commands: messages, entries and orders."""
_TOGETHER: Final = 40
"""How many lines go into one letter."""


def letters(*, of_gm: bool) -> Iterator[str]:
    """Yield the text of letters with every line; those that change nothing share a letter.

    For a sender who is no GM, a GM's commands change nothing.
    """
    alone, together = [*BLOCKS], [f"HELP {entry.topic}" for entry in COMMANDS.values()]
    for command, lines in LINES.items():
        entry = COMMANDS[command]
        is_refused = entry.who is For.GM and not of_gm
        (together if entry.effect is Effect.ASKS or is_refused else alone).extend(lines)
    yield from _joined(together)
    yield from alone


def crowded() -> list[str]:
    """Return few letters with every line; some lines cannot be done next to the others."""
    return [*BLOCKS, *_joined(line for lines in LINES.values() for line in lines)]


def _joined(lines: Iterable[str]) -> Iterator[str]:
    # An email answers each question once.
    once = list(dict.fromkeys(lines))
    for begin in range(0, len(once), _TOGETHER):
        yield "\n".join(once[begin : begin + _TOGETHER])


# What a sender may not know ----------------------------------------------------------------------


def vacant(session: Session, game: TwinGame, name: str) -> None:
    """Take the player out of a seat."""
    vacancies.vacate(session, _seat(session, name), LeaveReason.REMOVED, game.now)


def robot(session: Session, game: TwinGame, name: str) -> None:
    """Replace the player of a seat by a robot."""
    vacant(session, game, name)
    _seat(session, name).robot = Strength.EASY


def inactive(session: Session, _game: TwinGame, name: str) -> None:
    """Mark a player as inactive, so that the seat is offered."""
    row = _seat(session, name)
    row.missed, row.offered_at = 2, row.joined_at


def eliminated(session: Session, _game: TwinGame, name: str) -> None:
    """Eliminate a seat."""
    _seat(session, name).eliminated = True


def busy(session: Session, game: TwinGame, name: str) -> None:
    """File and prepare everything of a player that others may not know."""
    row = _seat(session, name)
    person = row.person
    assert person is not None
    letter = session.query(InboxLetter).order_by(InboxLetter.id).first()
    assert letter is not None
    sheet = Sheet(seat_id=row.id, turn=1, revision=1, letter_id=letter.id, orders=["ENDING 8000"])
    sheet.filed_at = game.now
    session.add(sheet)
    row.final_turn, row.standing, row.missed_all = 1, ["ENDING 8000"], 1
    days: dict[str, Any] = {"begins_at": game.now, "ends_at": game.now + timedelta(days=28)}
    session.add(Absence(seat=row, person_id=person.id, zone="UTC", **days))
    deputy = Deputy(seat=row, epoch=row.epoch, address="lotho@shire.example", zone="UTC", **days)
    deputy.asked_at, deputy.state = game.now, DeputyState.ACCEPTED
    deputy.person = people.by_address(session, "thorin@erebor.example")
    session.add(deputy)
    person.zone, person.second_address = "Asia/Tokyo", f"{name.lower()}@second.example"
    person.digest, person.reminders = True, [60]


def nothing(_session: Session, _game: TwinGame, _name: str) -> None:
    """Change nothing."""


def moved(session: Session, _game: TwinGame, name: str) -> None:
    """Change the address and the name of the person in a seat."""
    person = _seat(session, name).person
    assert person is not None
    person.address, person.name = "hidden@elsewhere.example", "Another Name"


def noted(session: Session, game: TwinGame, _name: str) -> None:
    """Record what only a GM may read."""
    audit.note(session, found(session), "GM", "A secret of the GM.", game.now, public=False)
    admissions.add(
        session, found(session), AdmissionState.EXCLUDED, game.now, address="eve@evil.example"
    )


def voting(session: Session, game: TwinGame, _name: str) -> None:
    """Open a vote among the players."""
    session.add(
        Vote(
            game=found(session),
            turn=1,
            motion=Motion.DRAW,
            quorum=Quorum.ALL,
            secret=False,
            opened_by=_seat(session, "SAM").number,
            opened_at=game.now,
            closes_at=game.now + timedelta(days=40),
            outcome=VoteResult.OPEN,
        )
    )


def excluded(session: Session, game: TwinGame, _name: str, *addresses: str) -> None:
    """Exclude everybody who has no seat."""
    for sender in SENDERS.values():
        person: Person | None = people.by_address(session, sender.address)
        decided = found(session), AdmissionState.EXCLUDED, game.now
        if person is None:
            admissions.add(session, *decided, address=sender.address)
        elif sender.address != FRODO:
            admissions.add(session, *decided, person=person)


Secret = Callable[[Session, TwinGame, str], None]


def told(
    sender: Sender,
    *secrets: tuple[Secret, str],
    texts: Sequence[str] = (),
) -> list[tuple[str, list[str]]]:
    """Return each letter of the sender with its answers, in a game that has these secrets.

    They are those with every line, unless *texts* has others.
    """
    with closing(TwinGame()) as game:
        with game.store.write() as session:
            for change, name in secrets:
                change(session, game, name)
        every = texts or letters(of_gm=sender.heading.startswith("GM"))
        heading = f"{sender.heading}\n" if sender.heading else ""
        return [(each, game.answers(sender, f"{heading}{each}\n")) for each in every]
