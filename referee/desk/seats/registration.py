"""Registration: people who become known, and players who join a game."""

import base64
import hashlib
import hmac
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Any, Final

from referee.desk.base import private_games
from referee.desk.base.codes import hash_code
from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import ruleset_of
from referee.desk.base.press_privacy import shows_address
from referee.desk.games import deadlines, start_terms, vacancies
from referee.desk.orders import real_names
from referee.domain.commands import Join
from referee.domain.look_alikes import look_alike
from referee.domain.person_names import name_fault, tamed
from referee.letters.outgoing.notices import Joined
from referee.parsing.commands import command_words
from referee.parsing.lines import is_ordinal
from referee.rules.ruleset import NameRule, Option, RulesetInfo, UserError
from referee.rules.wording import listed
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.models import Game, GameStatus, Person, SeatRow
from referee.store.people import admissions, people, same_mailbox

_OF_REFEREE: Final = frozenset(
    {
        *("ADMIN", "ALL", "CONFIRM", "END", "EVERYBODY", "EVERYONE", "FINAL", "MASTER", "NO"),
        *("NOBODY", "NONE", "RESIGN", "ROBOTS", "UMPIRE", "UNDO", "YES"),
        *("AS", "FROM", "OF", "OFF", "OFFER", "ON", "OR", "REAL", "RECEIPT", "TO", "UNTIL", "ZONE"),
    }
)
"""Names that would make a player's words look like ours, or like a command."""
_CODE_BYTES = 5
MOST_NAMES: Final = 3
"""The most names that a JOIN can have: the welcome says which of them are taken."""
_WHOLE: Final = 70
"""The longest line that no letter breaks, and few mail programs do."""


@dataclass(frozen=True, slots=True)
class Registration:
    """A person, and the security code if it is new; it is shown this one time only."""

    person: Person
    code: str = ""


def enrol(desk: Desk, address: str, name: str, zone: str) -> Registration:
    """Return the person of that address, who is registered if not yet known.

    A person without a security code gets one.
    """
    person = people.by_address(desk.session, address)
    if person is not None and person.code_hash:
        return Registration(person)
    person = know(desk, address, name, zone)
    # A known standby may give their name and time zone only now.
    person.name, person.zone = _shown(name) or person.name, zone or person.zone
    return Registration(person, renew_code(desk.site, person))


def know(desk: Desk, address: str, name: str, zone: str) -> Person:
    """Return the person of that address; a new person has no security code yet.

    A forgotten one who returns during a game of theirs gets their number back, because they know
    that game's secrets.
    """
    back = people.forgotten_as(desk.session, fingerprint(desk.site, address))
    if back is not None and people.by_address(desk.session, address) is None:
        back.address, back.created_at = address.lower(), desk.now
        back.forgotten_at = back.fingerprint = None
        back.name, back.zone = _shown(name), zone or desk.site.zone
        desk.session.flush()
        return back
    return people.enrol(
        desk.session,
        address=address,
        name=_shown(name),
        zone=zone or desk.site.zone,
        account_key=hmac.digest(desk.site.key, b"accounts", hashlib.sha256),
        now=desk.now,
    )


def known_as(desk: Desk, address: str) -> Person | None:
    """Return the person of that address, or the forgotten one who would return with it, or None.

    What a GM has decided about them applies to both.
    """
    person = people.by_address(desk.session, address)
    return person or people.forgotten_as(desk.session, fingerprint(desk.site, address))


def _shown(name: str) -> str:
    """Return a name safe to show, or "".

    Some mail programs put the address there, or a department in brackets; others could take an
    official name for ours.
    """
    name = tamed(name)
    return "" if shows_address(name) or name_fault(name) else name


def introduced(name: str, zone: str = "") -> str:
    """Return the name and the time zone that ``know`` gives a person, for a preview, or "".

    The words are the same for a person we know by now, so that a question stays valid.
    """
    shown = _shown(name)
    told = [f"your name is {shown}"] * bool(shown) + [f"your time zone is {zone}"] * bool(zone)
    return f" If you are new here, {listed(told)}." if told else ""


def fingerprint(site: Site, address: str) -> str:
    """Return the keyed hash by which a forgotten address is known again."""
    return hmac.digest(site.key, b"forgotten " + address.lower().encode(), hashlib.sha256).hex()


def renew_code(site: Site, person: Person) -> str:
    """Renew a person's security code and return it; the old code is no longer valid."""
    code = base64.b32encode(site.entropy(_CODE_BYTES)).decode()
    salt = site.entropy(16)
    person.code_salt, person.code_hash = salt, hash_code(code, salt)
    return code


class JoinRefused(UserError):
    """A JOIN that is not possible, with a *form* of the same words that is."""

    def __init__(self, reason: str, form: str) -> None:
        super().__init__(reason)
        self.form = form


@dataclass(frozen=True, slots=True)
class Wish:
    """A JOIN that is possible: the game, its ruleset, and the choices for the seat."""

    address: str
    command: Join
    game: Game
    info: RulesetInfo
    choices: dict[str, Any]
    zone: str


def wish_of(desk: Desk, address: str, command: Join) -> Wish:
    """Return the wish of a JOIN. Raises UserError, in words for the sender, if it is not possible.

    The same words hide a game that does not exist and one that the sender may not know of.
    """
    name, game = command.game, games.by_name(desk.session, command.game)
    if game is None or not private_games.is_open(desk, game, address, command.code):
        raise not_open(name)
    if reason := vacancies.unreliable(desk.session, game, known_as(desk, address)):
        raise UserError(reason)
    if len(command.names) > MOST_NAMES:
        raise UserError(f"You can ask for at most {MOST_NAMES} names, the best one first.")
    return wish_in(desk, game, address, command)


def not_open(name: str) -> UserError:
    """Return the words on a game that is not there, or not for its reader."""
    return UserError(
        f"There is no game {name} that you can join. LIST shows the games that you can join. A "
        f"private game needs the code of its GM: JOIN {name} CODE K7QX2M4A."
    )


def wish_in(desk: Desk, game: Game, address: str, command: Join) -> Wish:
    """Return the wish of a JOIN for a game that is open to the address, and lock the game.

    Raises UserError as ``wish_of`` does.
    """
    game = games.lock(desk.session, game)
    if game.status is not GameStatus.FORMING or len(game.seats) >= game.places:
        raise UserError(f"{game.name} has no free seat. LIST shows the games that you can join.")
    person = people.by_address(desk.session, address)
    if same_mailbox.holds_seat(game, person, address):
        raise UserError(f"You already have a seat in {game.name}.")
    if vacancies.is_excluded(desk.session, game, address, known_as(desk, address)):
        raise not_open(game.name)
    info = ruleset_of(desk.site.rulesets, game.ruleset).info
    try:
        choices = choices_of(info, command)
        _check_names(info, command.names)
        real_names.check(command.real_name, [gm.person for gm in game.gms], address)
    except UserError as fault:
        raise JoinRefused(str(fault), form(info, command)) from fault
    return Wish(address, command, game, info, choices, command.zone)


def form(info: RulesetInfo, command: Join) -> str:
    """Return a JOIN with what is possible of it, and examples for the rest.

    It has one line, or one for each part if that would be broken elsewhere.
    """
    names = [wish for wish in command.names if not _name_fault(info.names, wish)]
    option = info.choices[0] if info.choices else None
    known = _known(option) if option is not None else {}
    wishes = [known[near] for wish in command.choices for near in _near(wish, known)]
    real_name = command.real_name
    parts = (
        f"JOIN {command.game} {' OR '.join(names[:MOST_NAMES] or info.names.stock[:1])}",
        f"CODE {command.code}" if command.code else "",
        f"AS {' OR '.join(wishes or option.choices[:1])}" if option is not None else "",
        f"REAL NAME {real_name}" if real_name and not name_fault(real_name) else "",
        f"ZONE {command.zone}" if command.zone else "",
    )
    given = [*filter(None, parts)]
    line = " ".join(given)
    return line if len(line) <= _WHOLE else "\n".join(given)


def choices_in_words(info: RulesetInfo) -> tuple[str, ...]:
    """Return the choices of a player at JOIN, as sentences."""
    options = (f"{each.name}: {listed(each.choices, joint='or')}." for each in info.choices)
    return (f"name: {info.names.sentence}.", *options)


def join(desk: Desk, wish: Wish, name: str = "") -> tuple[SeatRow, Joined]:
    """Add a seat for the person to the game; return the seat and the welcome."""
    game, info, command = wish.game, wish.info, wish.command
    enrolled = enrol(desk, wish.address, command.real_name or name, wish.zone)
    seat_name, remarks = _seat_name(desk.site, game, info, command.names)
    row = games.add_seat(
        desk.session,
        game,
        number=len(game.seats) + 1,
        name=seat_name,
        choices=wish.choices,
        person=enrolled.person,
        now=desk.now,
    )
    admissions.end_waiting(desk.session, game, enrolled.person)
    agenda.schedule(desk.session, game, AgendaTopic.START)
    return row, _welcome(game, row, enrolled, remarks, desk.now)


def choices_of(info: RulesetInfo, command: Join) -> dict[str, Any]:
    """Return the wishes for the ruleset's choice. Raises UserError if one is unknown."""
    if not command.choices:
        return {}
    if not info.choices:
        raise UserError(
            f"Players of {info.title} choose nothing with AS. Leave it out; a name that you would "
            "like comes after the name of the game."
        )
    option = info.choices[0]
    known = _known(option)
    for wish in command.choices:
        if _folded(wish) not in known:
            meant = "".join(f"Did you mean {known[near]}? " for near in _near(wish, known))
            raise UserError(
                f"There is no {option.name} called {wish}. {meant}Write one, or two with OR. "
                f"Choose from: {', '.join(option.choices)}."
            )
    return {option.name: [known[_folded(wish)] for wish in command.choices]}


def chosen(choices: Mapping[str, Sequence[str]]) -> str:
    """Return the choices for a seat, for a preview: a sentence each, with a blank before it."""
    return "".join(f" {name.capitalize()}: {', or '.join(each)}." for name, each in choices.items())


def _known(option: Option) -> dict[str, str]:
    return {_folded(choice): choice for choice in option.choices}


def _near(wish: str, known: Collection[str]) -> list[str]:
    """Return the folded choice that is meant, or none if the wish is unlike all."""
    return get_close_matches(_folded(wish), known, n=1, cutoff=0.7)


def _check_names(info: RulesetInfo, wishes: Sequence[str]) -> None:
    """Raise UserError if a name is invalid, without repeating what a stranger wrote."""
    for number, wish in enumerate(wishes):
        which = ("first", "second")[number] if number < 2 else "last"
        name = "That name" if len(wishes) == 1 else f"Your {which} choice"
        if fault := _name_fault(info.names, wish):
            raise UserError(f"{name} cannot be used here: {fault}.")


def _name_fault(names: NameRule, wish: str) -> str:
    if is_reserved(names, wish.upper()):
        return "it already means something else"
    return "" if names.allows(wish.upper()) else names.sentence


def is_reserved(names: NameRule, name: str) -> bool:
    """Return whether no seat can have the *name*, because it means something else in emails."""
    means_else = name in names.reserved | _OF_REFEREE | command_words() or is_ordinal(name)
    return means_else or bool(name_fault(name))


def is_taken(game: Game, name: str) -> bool:
    """Return whether a seat of the game has the *name*, or one that people could take for it."""
    return any(look_alike(name, row.name) for row in game.seats)


def _seat_name(site: Site, game: Game, info: RulesetInfo, wishes: Sequence[str]) -> tuple[str, str]:
    """Return the first free name of *wishes*, or a random one, and a remark on the others."""
    wanted = [wish.upper() for wish in wishes]
    free = next((name for name in wanted if not is_taken(game, name)), "")
    gone = wanted[: wanted.index(free)] if free else wanted
    remarks = [f"You cannot have the name{'s' * (len(gone) > 1)} {listed(gone)}."] if gone else []
    if not free:
        free = drawn_name(site, game, info)
        chose = "are called" if gone else "chose no name, so we chose"
        remarks.append(f"You {chose} {free}.")
    return free, " ".join(remarks)


def drawn_name(site: Site, game: Game, info: RulesetInfo) -> str:
    """Return a random name of the ruleset that no seat of the game has."""
    taken = {row.name for row in game.seats}
    free = [name for name in info.names.stock if name not in taken]
    return free[int.from_bytes(site.entropy(8), "big") % len(free)]


def _folded(words: str) -> str:
    return "".join(letter for letter in words.casefold() if letter.isalnum())


def _welcome(
    game: Game,
    row: SeatRow,
    enrolled: Registration,
    remarks: str,
    now: datetime,
) -> Joined:
    return Joined(
        game=game.name,
        title=game.title,
        seat=row.name,
        choices=tuple(f"{name}: {', or '.join(wishes)}" for name, wishes in row.choices.items()),
        remarks=(remarks,) if remarks else (),
        account=enrolled.person.account,
        code=enrolled.code,
        taken=row.number,
        places=game.places,
        schedule=deadlines.schedule_in_words(game),
        starts=" ".join(start_terms.in_words(game, enrolled.person.zone)),
        starts_now=row.number == game.places and start_terms.starts_when_full(game, now),
        zone=enrolled.person.zone,
        for_one=game.for_one,
    )
