"""Call-outs of a game to the hooks of the site: which of them may know of which event."""

import hashlib
import hmac
from dataclasses import dataclass

from referee.desk.base.desk import Desk, Site
from referee.desk.base.faults import Part, try_part
from referee.desk.base.private_games import is_private
from referee.domain.call_outs import CallOut, CallOutEvent, Hook
from referee.letters.outgoing.local_time import Moment
from referee.store.mail import call_outs
from referee.store.mail.call_outs import NewCallOut
from referee.store.models import Game


@dataclass(frozen=True, slots=True)
class News:
    """An event in words: for *everyone*, and more of it for those who play, or None for them only.

    Every player of the game may know both.
    """

    event: CallOutEvent
    everyone: str | None
    players: str
    awaited: tuple[str, ...] = ()
    others: int = 0


def for_all(event: CallOutEvent, text: str) -> News:
    """Return news that everyone can read who knows of the game."""
    return News(event, text, text)


def call_out(desk: Desk, game: Game, news: News, occasion: str) -> None:
    """Put the news into the table of call-outs, for every hook that may have it.

    A hook with the game's name has players as readers. Any other has everyone, so that it gets
    nothing of a private game. Idempotent: the *occasion* makes the id.
    """

    def calls() -> tuple[NewCallOut, ...]:
        told = [(hook, text) for hook in desk.site.hooks if (text := _heard(hook, game, news))]
        return tuple(_new(desk, game, news, hook, text, occasion) for hook, text in told)

    none: tuple[NewCallOut, ...] = ()
    call_outs.put(desk.session, desk.now, *try_part(desk, game, Part.CALL_OUT, calls, none))


def due(site: Site, game: Game) -> str:
    """Return the sentence on the deadline of the current turn, with a space before it, or ""."""
    if game.due_at is None:
        return ""
    return f" Turn {game.turn} is due on {Moment(game.due_at, site.zone)}."


def _heard(hook: Hook, game: Game, news: News) -> str | None:
    if game.for_one or (hook.games and game.name not in hook.games):
        return None
    if hook.games:
        return news.players
    return None if is_private(game) else news.everyone


def _new(desk: Desk, game: Game, news: News, hook: Hook, text: str, occasion: str) -> NewCallOut:
    site, kind = desk.site, news.event.value
    words = f"call-out {hook.name} {game.name} {kind} {occasion} {site.epoch}"
    call = CallOut(
        event=news.event,
        at=desk.now,
        game=game.name,
        title=game.title,
        turn=game.turn,
        text=text,
        deadline=game.due_at,
        awaited=news.awaited,
        others=news.others,
        page=f"{site.pages}{game.name.lower()}/" if site.pages and not is_private(game) else "",
    )
    return NewCallOut(
        call_id=f"call_{hmac.digest(site.key, words.encode(), hashlib.sha256).hex()[:32]}",
        hook=hook.name,
        kind=kind,
        game=game,
        body=call.as_json(),
    )
