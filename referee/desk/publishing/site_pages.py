"""The pages about all games: the index, the feed, and the calendar of deadlines."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

from referee.desk.base.desk import Desk, Site
from referee.desk.base.loaded_games import title_of_rules
from referee.desk.players.queries import listed_as
from referee.desk.publishing.openness import PublicGame
from referee.desk.publishing.page_parts import CALENDAR, FEED, HOME, title_of
from referee.desk.publishing.people_shown import safe
from referee.letters.outgoing.local_time import Moment
from referee.pages.document import Document, EmailTo, Link, Links, PageFile, Section
from referee.pages.drawing import Entry, Feed, draw, draw_feed
from referee.reports.appointment import Appointment, calendar
from referee.rules.wording import counted
from referee.store import Session
from referee.store.games import games
from referee.store.models import Game, GameStatus

_MOST_ENTRIES: Final = 50
_MOST_ENDED: Final = 100
"""How many ended games are on the index; the others are on a page of their own."""
_ENDED: Final = Link("ended.html", "All games that have ended")
_LEAD: Final = (
    "Games played by email: you write your orders, and everybody's turn is resolved at the same "
    "deadline. All you need is an email program."
)


def site_files(desk: Desk, public: Sequence[PublicGame]) -> Iterator[PageFile]:
    """Yield the files about all *public* games, the index last.

    Without the address of the pages there is no feed, because its links must be whole.
    """
    feeds = (FEED, CALENDAR) if desk.site.pages else (CALENDAR,)
    name = desk.site.composer.name
    every = [each.game for each in public]
    ended = [game for game in every if game.status is GameStatus.ENDED]
    ended.sort(key=lambda game: (game.ended_at or game.created_at, game.id), reverse=True)
    if desk.site.pages:
        yield draw_feed(_feed(desk.session, desk.site, public), FEED.path)
    yield PageFile(CALENDAR.path, _calendar(desk, every))
    if len(ended) > _MOST_ENDED:
        links = Section(Links(tuple(_ended_link(desk.site, game) for game in ended)))
        yield from draw(
            Document(_ENDED.path, _ENDED.label, (), (links,), (HOME,), feeds=feeds), name
        )
    sections = tuple(_index(desk, every, ended))
    yield from draw(Document(HOME.path, name, (_LEAD,), sections, feeds=feeds), name)


def _index(desk: Desk, public: Sequence[Game], ended: Sequence[Game]) -> Iterator[Section]:
    session, site = desk.session, desk.site
    forming = [_open_link(session, site, g) for g in public if g.status is GameStatus.FORMING]
    running = (GameStatus.RUNNING, GameStatus.HELD)
    going = [_open_link(session, site, game) for game in public if game.status in running]
    if forming:
        yield Section(Links(tuple(forming)), "Games to join")
    yield Section(
        EmailTo(site.address, "LIST", "brings you the games of today, and HELP how to play"),
        "" if forming else "Games to join",
    )
    if going:
        yield Section(Links(tuple(going)), "Games being played")
    if ended:
        links = [_ended_link(site, game) for game in ended[:_MOST_ENDED]]
        links += [_ENDED] if len(ended) > _MOST_ENDED else []
        yield Section(Links(tuple(links)), "Games that have ended")


def _open_link(session: Session, site: Site, game: Game) -> Link:
    return Link(_path(game), game.name, safe(listed_as(session, site, game)))


def _ended_link(site: Site, game: Game) -> Link:
    rules = title_of_rules(site, game.ruleset)
    turns = counted(game.last_turn, "turn")
    on = f", ended on {Moment(game.ended_at, site.zone)}" if game.ended_at is not None else ""
    return Link(_path(game), title_of(game), f"{rules}, {turns}{on}")


def _path(game: Game) -> str:
    return f"{game.name.lower()}/index.html"


def _feed(session: Session, site: Site, public: Sequence[PublicGame]) -> Feed:
    """Return the newest entries: games to join, public reports, and games that have ended."""
    entries = [entry for each in public for entry in _entries(session, each)]
    entries.sort(key=lambda entry: (entry.at, entry.key), reverse=True)
    newest = tuple(entries[:_MOST_ENTRIES])
    return Feed(site.composer.name, site.domain, site.pages, newest)


def _entries(session: Session, public: PublicGame) -> Iterator[Entry]:
    game = public.game
    name, title = game.name.lower(), title_of(game)
    path = _path(game)
    if game.status is GameStatus.ENDED and game.ended_at is not None:
        what = f"{game.name} has ended after {counted(game.last_turn, 'turn')}."
        yield Entry(f"{name}/ended", f"{title} has ended", path, game.ended_at, what)
    elif game.status is GameStatus.FORMING:
        what = f"{game.name} takes players."
        yield Entry(f"{name}/open", f"{title}: join now", path, game.created_at, what)
    for turn in public.opened.reports if game.status is not GameStatus.ENDED else ():
        at = _resolved_at(session, game)
        what = f"The public report of turn {turn} of {game.name} can be read."
        yield Entry(f"{name}/turn-{turn}", f"{title}: report of turn {turn}", path, at, what)


def _resolved_at(session: Session, game: Game) -> datetime:
    """Return since when the newest public report can be read: the last turn was resolved then."""
    if game.turn > 1 and (at := games.turn_of(session, game, game.turn - 1).resolved_at):
        return at
    return game.started_at or game.created_at


def _calendar(desk: Desk, public: Sequence[Game]) -> bytes:
    """Return the deadlines of the running games as a calendar to subscribe to."""
    entries = [
        Appointment(
            key=f"{game.name.lower()}-t{game.turn}@{desk.site.domain}",
            summary=f"{game.name}: turn {game.turn} is due",
            organizer=desk.site.address,
            due=game.due_at,
            # It stays the same as long as nothing has changed.
            written=_resolved_at(desk.session, game),
            version=game.moves,
        )
        for game in public
        if game.due_at is not None
    ]
    return calendar(f"{desk.site.composer.name}: deadlines", entries)
