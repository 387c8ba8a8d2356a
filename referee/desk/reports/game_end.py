"""The end of a game: its verdict, its last letters, and its result in one sentence."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from referee.desk.base.attachments import cancelled
from referee.desk.base.call_outs import News, call_out
from referee.desk.base.desk import Desk
from referee.desk.base.faults import Part, try_part
from referee.desk.base.loaded_games import LoadedGame, commitment, load, seat_name
from referee.desk.base.outbox_writer import Addressing, both_ways, mailbox
from referee.desk.games import record_file, revealing
from referee.desk.orders import real_names
from referee.desk.reports import turn_reports, vote_text
from referee.desk.reports.vote_text import entitled
from referee.domain.call_outs import CallOutEvent
from referee.domain.votes import Motion
from referee.letters.outgoing.compose import OutgoingFile
from referee.letters.outgoing.end_notices import BookFile, FinalStanding
from referee.rules.ruleset import Seat, Verdict
from referee.rules.wording import listed, sentence
from referee.store import Session
from referee.store.games import agenda, attendance, audit, games, press, votes
from referee.store.games.agenda import AgendaTopic
from referee.store.mail import outbox
from referee.store.models import Game, GameStatus, Person
from referee.store.people import former_players, observers

OBSERVER: Final = -1
"""In the place of a seat: the book of every observer."""
Volume = tuple[BookFile | None, tuple[OutgoingFile, ...]]
"""The book for one reader in an email, as words and as a file; None for a game without one."""


def no_book(_seat: int, _octets: int) -> Volume:
    """Return the volume of a game without a book."""
    return None, ()


def finish(desk: Desk, game: Game) -> None:
    """End the game in its current state. Timed messages that still wait are not delivered."""
    games.end(game, desk.now)
    game.moves += 1
    press.follow(desk.session, game)
    agenda.schedule(desk.session, game)
    announce(desk, load(desk.session, desk.site, game))


def announce(desk: Desk, table: LoadedGame) -> None:
    """Schedule the last letters of a game that has ended, and call the hooks.

    ``BookSender`` makes them with the book. In a game for one, which has no book, the
    letter is sent at once.
    """
    game = table.game
    if game.for_one:
        send_last_letters(desk, table, no_book)
    else:
        agenda.schedule(desk.session, game, AgendaTopic.BOOK)
    over = f"{game.name} has ended after turn {game.last_turn}."
    told = f"{over} {result(desk.session, table)}"
    everyone = told if game.observers_behind is not None else over
    call_out(desk, game, News(CallOutEvent.ENDED, everyone, told), "standing")


def send_last_letters(desk: Desk, table: LoadedGame, volume: Callable[[int, int], Volume]) -> None:
    """Mail the final standings, the record and the book to every player and GM.

    A GM who plays gets them once. *volume* returns the book for the reader with a seat, 0 for a GM,
    in an email with files of so many octets. If the rules did not end the game, the deadline of its
    last turn goes from the calendars.
    """
    game, none = table.game, tuple[OutgoingFile, ...]()
    enclosed = partial(record_file.enclosed, desk.session, game)
    record = try_part(desk, game, Part.RECORD, enclosed, none)
    octets = sum(len(file.content) for file in record)
    notice = final_standing(desk.session, table)
    notice = replace(notice, files=tuple(file.name for file in record))
    unsent = Counter(
        (item.sender, item.letter.holder_id) for item in press.undelivered(desk.session, game)
    )
    idle = _with_idle_orders(desk.session, game)
    vote = votes.ending(desk.session, game)
    for row in game.seats:
        if row.person is not None:
            off = partial(cancelled, desk.site, game, row, desk.now)
            entry = try_part(desk, game, Part.CALENDAR, off, none) if notice.why else ()
            book, bound = volume(row.number, octets)
            own = replace(
                notice,
                seat=row.name,
                unsent=unsent[row.number, row.person_id],
                choices=revealing.choices(desk.session, desk.site, game, row.person),
                reveals=revealing.time_to_choose(desk.session, game, row.person.zone),
                not_done=row.id in idle,
                vote=vote_text.result_lines(vote, vote_text.known_to(table, row)),
                book=book,
            )
            # The last turn is in the text; a second number in the subject would contradict it.
            addressing = Addressing(
                mailbox(row.person), "standing", game=game, seat=row, files=record + entry + bound
            )
            outbox.put(desk.session, desk.now, *turn_reports.laid_out(desk, game, own, addressing))
    for person in idle_masters(game):
        book, bound = volume(0, octets)
        own = replace(
            notice,
            choices=("REVEAL sends all players and GMs the whole game, once.",),
            reveals=revealing.time_to_choose(desk.session, game, person.zone),
            not_done=bool(idle),
            vote=vote_text.result_lines(vote, {row.number for row in game.seats}),
            book=book,
        )
        addressing = Addressing(mailbox(person), "standing", game=game, files=record + bound)
        outbox.put(desk.session, desk.now, *turn_reports.laid_out(desk, game, own, addressing))


def idle_masters(game: Game) -> Iterator[Person]:
    """Yield the GMs of the game who do not play in it."""
    players = {row.person_id for row in game.seats}
    return (gm.person for gm in game.gms if gm.person_id not in players)


def _with_idle_orders(session: Session, game: Game) -> frozenset[int]:
    """Return the ids of the seats with orders for a turn that is no longer resolved."""
    filed = games.sheets_on_file(session, game)
    rows = (row for row in game.seats if row.id in filed and not row.eliminated)
    return frozenset(row.id for row in rows if filed[row.id].orders)


def final_standing(session: Session, table: LoadedGame) -> FinalStanding:
    """Return the final standings, with who was who, for a reader without a seat."""
    game, verdict = table.game, verdict_of(session, table)
    played = attendance.stints(session, game)
    named = real_names.listed(game.seats, revealing.unnamed(session, game), stints=played)
    return FinalStanding(
        game=game.name,
        title=game.title,
        turn=game.last_turn,
        winners=_sharers(session, game) or turn_reports.winners(game, verdict),
        drawn=is_drawn(session, game, verdict),
        standing=both_ways(verdict.standing),
        notes=tuple(entry.what for entry in audit.untold(session, game)),
        players=tuple(
            f"{line}, eliminated" if row.eliminated else line
            for row, line in zip(game.seats, named, strict=True)
        ),
        commitment=commitment(game.seed),
        seed=game.seed.hex(),
        why=why_over(session, table),
    )


def verdict_of(session: Session, table: LoadedGame) -> Verdict:
    """Return how a game ends: by its rules, else by a vote, else without a winner."""
    verdict = table.ruleset.verdict(table.state)
    if verdict is None:
        verdict = Verdict(_agreed_winners(session, table.game), turn_reports.standing(table))
    return verdict


def why_over(session: Session, table: LoadedGame) -> str:
    """Return who ended the game, as a sentence; "" if its rules did."""
    if table.ruleset.verdict(table.state) is not None:
        return ""
    by_vote = votes.ending(session, table.game) is not None
    return f"{'A vote of the players' if by_vote else 'The GM'} ended the game."


def _agreed_winners(session: Session, game: Game) -> frozenset[Seat]:
    """Return the winners by the vote that ends the game: all who play (DRAW), one, or none."""
    vote = votes.ending(session, game)
    if vote is None:
        return frozenset()
    if vote.motion is Motion.DRAW:
        # A player who is forgotten after the end has had a part in the draw.
        over = game.status is GameStatus.ENDED
        rows = [row for row in game.seats if not row.eliminated] if over else entitled(game)
        return frozenset(Seat(row.number) for row in rows)
    return frozenset({Seat(vote.winner)} if vote.winner else ())


def result_for(session: Session, table: LoadedGame, person: Person) -> str:
    """Return how the game has ended, or "": while it goes on, and for people without a part in it.

    Those who left it before its end read it too, as the players, GMs and observers did.
    """
    if table.game.status is not GameStatus.ENDED or not _had_part(session, table.game, person):
        return ""
    return result(session, table)


def result(session: Session, table: LoadedGame) -> str:
    """Return who has won a game that has ended, and who ended it if its rules did not."""
    outcome = _outcome(session, table.game, verdict_of(session, table))
    # Nobody ends a game for one: it ends when its player leaves it.
    why = "" if table.game.for_one else why_over(session, table).rstrip(".")
    return f"{why}: {outcome}." if why else sentence(outcome)


def _outcome(session: Session, game: Game, verdict: Verdict) -> str:
    if is_drawn(session, game, verdict):
        return "it is a draw"
    names = [seat_name(game, seat) for seat in sorted(verdict.winners)]
    if not names:
        return "there is no winner"
    return f"{listed(names)} {'has' if len(names) == 1 else 'have'} won"


def _had_part(session: Session, game: Game, person: Person) -> bool:
    """Return whether the person has or had a seat or is or was a GM, or observes the game."""
    if any(row.person_id == person.id for row in game.seats):
        return True
    if any(gm.person_id == person.id for gm in game.gms):
        return True
    watches = observers.find(session, game, person) is not None
    return watches or bool(former_players.of(session, game, person))


def is_drawn(session: Session, game: Game, verdict: Verdict) -> bool:
    """Return whether a game that has ended is a draw: by a vote, or because all have won."""
    return _is_drawn_by_vote(session, game) or turn_reports.have_all_won(game, verdict)


def _is_drawn_by_vote(session: Session, game: Game) -> bool:
    vote = votes.ending(session, game)
    return vote is not None and vote.motion is Motion.DRAW


def _sharers(session: Session, game: Game) -> tuple[str, ...]:
    """Return the seats that share a draw by vote, without those that had no player at the end.

    Only right after the end: later, players may have been forgotten.
    """
    by_vote = _is_drawn_by_vote(session, game)
    return tuple(row.name for row in entitled(game)) if by_vote else ()
