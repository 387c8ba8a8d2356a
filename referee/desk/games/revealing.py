"""The parts of a game that players let others read after its end."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from referee.desk.base.desk import Site
from referee.domain.revealed_parts import RevealedPart
from referee.letters.outgoing.local_time import Moment
from referee.store import Session
from referee.store.games import diaries
from referee.store.mail import mail_queries
from referee.store.models import Game, GameStatus, Person
from referee.store.people import agreements, former_players

_TIME_TO_CHOOSE: Final = timedelta(days=7)
"""How long after the end a game is not revealed, unless everyone has decided."""
_REVEALED: Final[Mapping[RevealedPart, str]] = {
    RevealedPart.DIARY: (
        "When the GM reveals {} after its end, all its players and GMs can read your diary. "
        "SHARE DIARY NO keeps it to yourself."
    ),
    RevealedPart.PRESS: (
        "When the GM reveals {} after its end, all its players and GMs can read the messages that "
        "you signed, but not those to the GM. SHARE PRESS NO changes that."
    ),
    RevealedPart.NAME: (
        "The list of who was who at the end of {} has your real name. SHARE NAME NO leaves it out."
    ),
    RevealedPart.PAGES: (
        "What others read of you in {} after its end is on our web pages, too, where everyone can "
        "read it. SHARE PAGES NO takes it off them, at any time."
    ),
}
_KEPT: Final[Mapping[RevealedPart, str]] = {
    RevealedPart.DIARY: (
        "Nobody else reads your diary of {}, not even after its end. SHARE DIARY YES changes that."
    ),
    RevealedPart.PRESS: (
        "Only those you wrote to can read your messages in {}, even after its end. SHARE PRESS "
        "YES changes that."
    ),
    RevealedPart.NAME: (
        "The list of who was who at the end of {} leaves out your real name. SHARE NAME YES "
        "changes that."
    ),
    RevealedPart.PAGES: (
        "Our web pages have neither your real name nor your words in {}, also after its end. "
        "SHARE PAGES YES puts there what others read of you."
    ),
}


def is_revealed(session: Session, game: Game) -> bool:
    """Return whether the GM has revealed the game."""
    return bool(mail_queries.recipients(session, game, "Revealed"))


def possible_from(session: Session, game: Game) -> datetime:
    """Return from when the GM of a game that has ended can reveal it.

    This is its end if all its players, and all who were, have decided about any part.
    """
    assert game.ended_at is not None
    seated = {row.person_id for row in game.seats if row.person_id is not None}
    players = seated | former_players.who_had_a_seat(session, game)
    if players <= agreements.deciders(session, game):
        return game.ended_at
    return game.ended_at + _TIME_TO_CHOOSE


def time_to_choose(session: Session, game: Game, zone: str) -> str:
    """Return until when players can choose in a game that has just ended, in a sentence or two."""
    begins = possible_from(session, game)
    if begins == game.ended_at:
        return "All players have chosen, so the GM can reveal the game at any time."
    return (
        f"The GM can reveal the game from {Moment(begins, zone)} on, or as soon as every player "
        "has chosen. Until then, players can change what it shows, for instance by SHARE DIARY NO."
    )


def choice(game: Game, part: RevealedPart, *, agrees: bool) -> str:
    """Return the meaning of a player's choice, and how to change it."""
    return (_REVEALED if agrees else _KEPT)[part].format(game.name)


def of_leaver(session: Session, game: Game, person: Person) -> str:
    """Return the fate of the diary of a person who leaves the game, or "" without a diary."""
    if not diaries.of(session, game, person):
        return ""
    agrees = agreements.of(session, game, person)[RevealedPart.DIARY]
    diary = choice(game, RevealedPart.DIARY, agrees=agrees)
    return f"{diary} Write the name of the game, {game.name}, on the line above."


def choices(session: Session, site: Site, game: Game, person: Person) -> tuple[str, ...]:
    """Return the choices that a player can still change, each with what it means."""
    decided = agreements.of(session, game, person)
    return tuple(
        choice(game, part, agrees=agrees)
        for part, agrees in decided.items()
        if is_open(session, game, part) and (part is not RevealedPart.PAGES or site.pages)
    )


def is_open(session: Session, game: Game, part: RevealedPart) -> bool:
    """Return whether a player can still change their choice: others have not read that part.

    What is on the pages can be changed at any time, because they are written again.
    """
    if part is RevealedPart.PAGES:
        return True
    if part is RevealedPart.NAME:
        # The final standings have the names.
        return game.status is not GameStatus.ENDED
    return not is_revealed(session, game)


def on_pages(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the people of whom the pages show what is revealed."""
    return agreements.deviating(session, game, RevealedPart.PAGES)


def unnamed(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the people whose real names the list of who was who leaves out."""
    return agreements.deviating(session, game, RevealedPart.NAME)
