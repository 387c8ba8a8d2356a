"""Private games: who may know that they exist, and the code with which others join them."""

import base64
import hashlib
import hmac
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import house_options
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, GameStatus, Person
from referee.store.people import admissions, deputies, former_players, observers, people, standbys
from referee.store.people.admissions import AdmissionState

_CODE_BYTES: Final = 5


def is_private(game: Game) -> bool:
    """Return whether the GM keeps the game out of LIST."""
    return bool(house_options(game)["private"])


def join_code(site: Site, game: Game) -> str:
    """Return the code with which people join the private game, as GMs hand it out.

    It is computed from the secret of the site, so it is stored nowhere.
    """
    named = f"join {game.name} {game.code_number}"
    drawn = hmac.digest(site.key, named.encode(), hashlib.sha256)
    return base64.b32encode(drawn[:_CODE_BYTES]).decode()


def join_line(site: Site, game: Game) -> str:
    """Return the line with which people join the game."""
    code = f" CODE {join_code(site, game)}" if is_private(game) else ""
    return f"JOIN {game.name}{code}"


def is_open(desk: Desk, game: Game, address: str, code: str) -> bool:
    """Return whether the address may know how to join the game, with the code or without.

    It takes as long for any code. Whether the game is full is not looked at.
    """
    fits = hmac.compare_digest(code.upper().encode(), join_code(desk.site, game).encode())
    person = people.by_address(desk.session, address)
    return not is_hidden(desk.session, game, person, address) or fits


def called(session: Session, name: str, person: Person | None, address: str = "") -> Game | None:
    """Return the game of that name, or None if there is none that the person may know of.

    They may know of a game if its GM has allowed or invited the *address* that is answered, also
    if nobody is known by it yet.
    """
    game = games.by_name(session, name)
    return None if game is None or is_hidden(session, game, person, address) else game


def is_hidden(session: Session, game: Game, person: Person | None, address: str = "") -> bool:
    """Return whether the game is none for the person, None if unknown, who writes from an address.

    A private game is hidden from everybody who has no part in it, and a forming one from those whom
    its GM has excluded: JOIN does not let them in, so nothing else may tell them that it is there.
    """
    is_forming = game.status is GameStatus.FORMING
    if not (is_private(game) or is_forming) or _belongs(game, person):
        return False
    decided = admissions.find(session, game, address or (person.address if person else ""), person)
    state = decided.state if decided is not None else None
    if is_forming and state is AdmissionState.EXCLUDED:
        return True
    if not is_private(game) or state is AdmissionState.ALLOWED:
        return False
    if is_forming and state is AdmissionState.WAITING:
        return False
    return person is None or not _takes_part(session, game, person)


def _belongs(game: Game, person: Person | None) -> bool:
    """Return whether the person has a seat of the game, or is a GM of it."""
    return person is not None and (
        any(row.person_id == person.id for row in game.seats)
        or any(gm.person_id == person.id for gm in game.gms)
    )


def _takes_part(session: Session, game: Game, person: Person) -> bool:
    """Return whether the person had a seat of the game, or has a role that they asked for."""
    return (
        observers.find(session, game, person) is not None
        or bool(former_players.of(session, game, person))
        or any(deputy.seat.game_id == game.id for deputy in deputies.of_person(session, person))
        or any(row.scope == game.name for row in standbys.of(session, person))
    )


def turned_away(session: Session, name: str, person: Person) -> Game | None:
    """Return the game of that name if it has begun while the person waited for its GM, or None."""
    game = games.by_name(session, name)
    if game is None or game.status in (GameStatus.FORMING, GameStatus.ENDED):
        return None
    decided = admissions.find(session, game, person.address, person)
    return game if decided is not None and decided.state is AdmissionState.WAITING else None
