"""The outage guard: a deadline that passed while no letter could be taken moves by as much."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from referee.desk.base.announcements import proclaim
from referee.desk.base.desk import Desk
from referee.desk.base.outbox_writer import Addressing, post
from referee.desk.base.site import Site
from referee.desk.games import deadlines
from referee.domain.outages import Outage, SourceStatus, moved
from referee.domain.schedules import roughly
from referee.letters.incoming.letter import MailAddress
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import OperatorAlert
from referee.store import Session
from referee.store.games import agenda, games
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import circuit_breaker, heartbeats, outbox
from referee.store.mail.heartbeats import Heartbeat
from referee.store.models import Game
from referee.store.people import offers


@dataclass(frozen=True, slots=True)
class Watch:
    """What is known of the time: whether turns may be resolved, and which deadlines are over.

    *is_doubtful* says that our clock is behind what was seen before. Up to *read_until* all letters
    that reached us are here; a later deadline waits. None says that they all are. *moved* tells how
    many deadlines were moved just now.
    """

    is_doubtful: bool = False
    read_until: datetime | None = None
    moved: int = 0


@dataclass(frozen=True, slots=True)
class _Outage:
    """Who was away, and when."""

    source: str
    away: Outage


def beat(desk: Desk, ways: Sequence[SourceStatus]) -> Watch:
    """Return a sign of life for the daemon and the ways in that are well, and find any outage.

    Deadlines that passed in one move, in the same transaction, and everybody is told once.
    """
    if not _is_time_right(desk):
        return Watch(is_doubtful=True)
    own = _silence(desk.session, desk.site, SourceStatus(heartbeats.DAEMON, desk.now))
    slept = set() if own is None else {way for way in ways if _slept_with_us(way, own.away)}
    found = [own, *(_silence(desk.session, desk.site, way) for way in ways if way not in slept)]
    outages = [outage for outage in found if outage is not None]
    for pulse in heartbeats.among(desk.session, {way.source for way in slept}):
        pulse.beat_at = max(desk.now, pulse.beat_at)
    count = _make_good(desk, outages) if outages else 0
    silent = heartbeats.among(desk.session, {way.source for way in ways if way.read_until is None})
    # Nobody waits for ever for a mailbox that is given up.
    oldest = desk.now - desk.site.patience.longest
    awaited = [pulse.beat_at for pulse in silent if pulse.beat_at >= oldest]
    return Watch(read_until=min(awaited, default=None), moved=count)


def _is_time_right(desk: Desk) -> bool:
    """Return whether the clock may be believed.

    One that is behind the last sign of life was set back, or is wrong: for as long as a gap may be
    nothing is resolved by it. It is believed then, unless somebody else keeps the other time.
    """
    pulse = heartbeats.of(desk.session, heartbeats.DAEMON)
    if pulse is None:
        heartbeats.begin(desk.session, heartbeats.DAEMON, desk.now)
        return True
    if pulse.beat_at - desk.now <= desk.site.patience.gap:
        pulse.behind_at = None
        return True
    if pulse.behind_at is None or desk.now < pulse.behind_at:
        pulse.behind_at = desk.now
        _tell_of_clock(desk, pulse)
    if desk.now - pulse.behind_at <= desk.site.patience.gap:
        return False
    _set_back(desk.session, pulse.beat_at, desk.now)
    return True


def _set_back(session: Session, before: datetime, now: datetime) -> None:
    """Go on by a clock that said *before*: who was at work then and what was due is so still."""
    outbox.keep_due(session, before, now)
    circuit_breaker.keep_held(session, before, now)
    for pulse in heartbeats.later(session, now):
        pulse.beat_at, pulse.behind_at = now, None


def _silence(session: Session, site: Site, way: SourceStatus) -> _Outage | None:
    """Write the sign of life of a source, and return the outage that ends with it, if one does."""
    if way.read_until is None:
        return None
    pulse = heartbeats.of(session, way.source)
    if pulse is None:
        heartbeats.begin(session, way.source, way.read_until)
        return None
    away = Outage(pulse.beat_at, way.read_until)
    pulse.beat_at = max(away.until, pulse.beat_at)
    return _Outage(way.source, away) if away.gap > site.patience.gap + way.every else None


def _slept_with_us(way: SourceStatus, away: Outage) -> bool:
    """Return whether a way in was well when we fell asleep, and was not looked at again since.

    It missed no more than we did, and its next look is no end of another outage.
    """
    return way.read_until is not None and way.read_until <= away.since


def _make_good(desk: Desk, outages: Sequence[_Outage]) -> int:
    """Move every deadline that passed in an outage, by the longest of those, and return how
    many."""
    longest = max(outages, key=lambda outage: outage.away.gap)
    _prolong_offers(desk.session, desk.site, longest.away)
    concerned = list(_moved(desk, outages))
    if concerned:
        _tell_operator(desk, longest, concerned)
    return len(concerned)


def _prolong_offers(session: Session, site: Site, away: Outage) -> None:
    """Let an offer of a seat whose time ran out in an outage stand as much longer."""
    for offer in offers.unanswered(session):
        until = moved(offer.until, timedelta(0), away, site.patience.longest)
        if until is not None:
            offer.until = until
            agenda.stir(session, offer.seat.game, AgendaTopic.OFFERS)


def _moved(desk: Desk, outages: Sequence[_Outage]) -> Iterator[str]:
    latest = max(outage.away.until for outage in outages)
    for game in games.running_until(desk.session, latest):
        dues = [(due, outage) for outage in outages if (due := _due(desk.site, game, outage.away))]
        if not dues:
            continue
        due, outage = max(dues, key=lambda pair: pair[0])
        # Who is about to adjudicate the game has to look at it again.
        games.revoke_claim(games.lock(desk.session, game))
        deadlines.move(desk.session, game, due, desk.now)
        occasion = f"away{int(outage.away.until.timestamp())}"
        what = f"{_lost(outage)}, so the deadline of turn {game.turn} has moved."
        proclaim(desk, game, what, occasion, note=_noted(game, outage))
        yield game.name


def _due(site: Site, game: Game, away: Outage) -> datetime | None:
    if game.deadline_at is None:
        return None
    grace = timedelta(seconds=game.grace_seconds)
    return moved(game.deadline_at, grace, away, site.patience.longest)


def _lost(outage: _Outage) -> str:
    if outage.source == heartbeats.DAEMON:
        return f"The referee was away for {roughly(outage.away.gap)}"
    return f"For {roughly(outage.away.gap)} letters could not reach the referee"


def _noted(game: Game, outage: _Outage) -> str:
    assert game.deadline_at is not None
    return (
        f"{_lost(outage)}, until {Moment(outage.away.until, 'UTC')}: the deadline of turn "
        f"{game.turn} moved to {Moment(game.deadline_at, 'UTC')}."
    )


def _tell_operator(desk: Desk, outage: _Outage, concerned: Sequence[str]) -> None:
    who = "The referee" if outage.source == heartbeats.DAEMON else f"The way in {outage.source}"
    away, zone = outage.away, desk.site.zone
    what = (
        f"{who} gave no sign of life for {roughly(away.gap)}, from "
        f"{Moment(away.since, zone)} to {Moment(away.until, zone)}. "
        f"The deadlines that passed meanwhile were moved, and the players told: "
        f"{', '.join(concerned)}."
    )
    to_do = (
        "nothing if you stopped it yourself; otherwise look at the log, and whether the clock of "
        "the machine was set."
    )
    alert = OperatorAlert(what, f"{away.until:%Y%m%d-%H%M%S}", to_do)
    _alert(desk, alert, f"outage{away.until:%Y%m%d%H%M%S}")


def _tell_of_clock(desk: Desk, pulse: Heartbeat) -> None:
    zone = desk.site.zone
    what = (
        f"The clock says {Moment(desk.now, zone)}, and it was {Moment(pulse.beat_at, zone)} "
        f"before. No turn is resolved for {roughly(desk.site.patience.gap)}; then that clock is "
        "believed, unless another machine goes on by the other time."
    )
    to_do = "see that the clocks of all machines are right; deadlines stay where they are."
    alert = OperatorAlert(what, f"{desk.now:%Y%m%d-%H%M%S}", to_do)
    # While two machines disagree it is found again and again, and told once a day.
    _alert(desk, alert, f"clock{desk.now:%Y%m%d}")


def _alert(desk: Desk, alert: OperatorAlert, serial: str) -> None:
    if desk.site.operator:
        post(desk, alert, Addressing(MailAddress("", desk.site.operator), serial))
