"""JOIN: a seat at once, or a question to the GM if the GM decides about each player."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from referee.desk.base import announcements, ledger, private_games
from referee.desk.base.desk import Desk
from referee.desk.base.loaded_games import house_options
from referee.desk.base.outbox_writer import Addressing, mailbox
from referee.desk.games.attendance import reliability_of
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.seats import registration
from referee.desk.seats.registration import Wish
from referee.domain.commands import Join
from referee.domain.shares import Thing
from referee.domain.tokens import Kind
from referee.letters.outgoing.notices import Joined
from referee.rules.ruleset import UserError
from referee.rules.wording import counted, listed
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, GameStatus, Person
from referee.store.people import admissions, people
from referee.store.people.admissions import Admission, AdmissionState


@command(Join, "JOIN", For.ANYONE, Effect.ENTERS, shown_in="strangers", answer=Joined)
def join(context: LetterContext, given: Join) -> Deed:
    """JOIN. The welcome is a letter of its own.

    The preview names all that the letter asks for: anyone could have written it. Whether a name is
    taken only those read who get a seat: others could try out who plays.
    """
    given = given if given.game else replace(given, game=_invited_to(context))
    wish = registration.wish_of(context.desk, context.identity.usual_address, given)
    game, title = wish.game, wish.info.title
    introduced = registration.introduced(given.real_name or context.sender_name, given.zone)
    wished = f"{_as_whom(given)}.{registration.chosen(wish.choices)}{introduced}"
    if _is_asked(context.desk, game, wish.address):
        _check_waiting(context, game)

        def ask() -> str:
            context.with_gm.append(given)
            return _ask(context.desk, wish, context.sender_name)

        says = f"We ask the GM of {game.name}, a game of {title}, whether you can join it{wished}"
        return Deed(says, ask)

    def take_seat() -> str:
        row, welcome = registration.join(context.desk, wish, context.sender_name)
        assert row.person is not None
        to, answered = mailbox(row.person), context.answered_id
        addressing = Addressing(to, "welcome", context.row, answered, game=row.game, seat=row)
        context.letters.append((welcome, addressing))
        return ""

    return Deed(f"You take a seat in {game.name}, a game of {title}{wished}", take_seat)


def _as_whom(given: Join) -> str:
    """Return the names for the seat that are asked for, to follow the game, or ""."""
    names = [name.upper() for name in given.names]
    if len(names) > 1:
        return f", as {listed(names, joint='or')}, the first name that is free"
    return f", as {names[0]} if that name is free" if names else ""


def _invited_to(context: LetterContext) -> str:
    """Return the game of the invitation that is answered. Raises UserError if there is none."""
    game = context.identity.game
    if context.identity.asked(Kind.INVITATION) is None or game is None:
        raise UserError("Which game? LIST shows the games; JOIN SW-1 joins the game SW-1.")
    return game.name


def wish_of(desk: Desk, row: Admission) -> Wish:
    """Return the wish of a person who waits. Raises UserError if it is no longer possible."""
    assert row.person is not None
    kept: dict[str, Any] = row.wish or {}
    names, choices = (tuple(kept.get(each, ())) for each in ("names", "choices"))
    real_name, zone = kept.get("real_name", ""), kept.get("zone", "")
    command = Join(row.game.name, names, choices, real_name, zone)
    return registration.wish_in(desk, row.game, row.person.address, command)


def in_words(session: Session, game: Game, person: Person, names: Sequence[str]) -> str:
    """Return who waits, for the GM: number, reliability, finished games, and the name they gave.

    The name comes last and in quotation marks, because it could read like a good reliability. So do
    the *names* that they want for the seat, the best first.
    """
    name = f', by the name "{person.name}"' if person.name else ""
    name += f", as {_quoted(names)}" if names else ""
    known = reliability_of(session, person, game).in_words()
    number = games.finished_by(session, person)
    finished = counted(number, "finished game") if number else "no finished games"
    return f"#{person.account} ({known}; {finished}){name}"


def names_of(row: Admission) -> tuple[str, ...]:
    """Return the names for a seat that a person who waits has asked for."""
    return tuple((row.wish or {}).get("names", ()))


def waiting_in_words(session: Session, game: Game) -> str:
    """Return who gets no seat if the game starts now, for the preview of START; "" if nobody."""
    rows = admissions.of(session, game)
    waiting = [row for row in rows if row.state is AdmissionState.WAITING and row.person]
    if not waiting:
        return ""
    who = "1 person waits" if len(waiting) == 1 else f"{len(waiting)} people wait"
    gets = "gets" if len(waiting) == 1 else "get"
    names = ", ".join(_number(row) for row in waiting)
    return f" {who} for your APPROVE, and {gets} no seat: {names}."


def _number(row: Admission) -> str:
    assert row.person is not None
    name = _quoted((row.person.name,) if row.person.name else names_of(row))
    return f"#{row.person.account}" + (f" {name}" if name else "")


def _quoted(names: Sequence[str]) -> str:
    return " or ".join(f'"{name}"' for name in names)


def turn_away(desk: Desk, game: Game, why: str) -> None:
    """Notify everyone who waits for the GM that it is too late, and *why*.

    If the game goes on, they stay on the GM's list, for an ALLOW.
    """
    for row in admissions.of(desk.session, game):
        if row.state is AdmissionState.WAITING and row.person is not None:
            what = f"You do not get a seat in {game.name}. {why}"
            announcements.tell(desk, game, row.person, what, f"away{row.id}", has_left=True)
            row.wish = None
            if game.status is GameStatus.ENDED:
                admissions.end_waiting(desk.session, game, row.person)


def turn_away_at_start(desk: Desk, game: Game) -> None:
    """Notify everyone who waits for the GM that the game has started, and what they can do."""
    later = f"With STANDBY {game.name} we ask you when a seat becomes vacant."
    if private_games.is_private(game):
        later = "Its GM can still allow you to take a seat that becomes vacant."
    turn_away(desk, game, f"It has started without you. {later}")


def _is_asked(desk: Desk, game: Game, address: str) -> bool:
    """Return whether the GM decides about a JOIN from that address, and has not decided yet."""
    person = registration.known_as(desk, address)
    if not house_options(game)["approve"] or any(gm.person is person for gm in game.gms):
        return False
    decided = admissions.find(desk.session, game, address, person)
    return decided is None or decided.state is AdmissionState.WAITING


def _check_waiting(context: LetterContext, game: Game) -> None:
    """Raise UserError if the sender waits already, or too many others do."""
    rows = admissions.of(context.session, game)
    waiting = [row.person for row in rows if row.state is AdmissionState.WAITING]
    if people.by_address(context.session, context.identity.usual_address) in waiting:
        raise UserError(f"You have asked to join {game.name}. Its GM has not answered yet.")
    holders = [person.address for person in waiting if person is not None]
    address = context.identity.usual_address
    ledger.require(context.desk, ledger.holding(Thing.WAITING, address, holders, game.name))


def _ask(desk: Desk, wish: Wish, name: str) -> str:
    """Record the wish, and ask the GMs."""
    game, address = wish.game, wish.address
    person = people.by_address(desk.session, address)
    if person is None:
        person = registration.know(desk, address, wish.command.real_name or name, wish.zone)
    kept = asdict(wish.command)
    del kept["game"], kept["code"]
    waits = AdmissionState.WAITING
    row = admissions.add(desk.session, game, waits, desk.now, person=person, wish=kept)
    number = f"#{person.account}"
    who = in_words(desk.session, game, person, wish.command.names)
    what = (
        f"A player asks to join {game.name}: {who}. APPROVE "
        f"{number} gives them a seat, REFUSE {number} does not."
    )
    for gm in game.gms:
        announcements.tell(desk, game, gm.person, what, f"asks{row.id}", can_wait=True)
    return (
        f"The GM of {game.name} decides who joins, and has been asked. You get an email when the "
        "GM has answered. Until then no seat is kept for you."
    )
