"""Votes among the players: proposals to all who may vote, and their ballots."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, TypeGuard

from referee.desk.base.call_outs import News, call_out
from referee.desk.base.loaded_games import LoadedGame, seat_name
from referee.desk.base.outbox_writer import Addressing, mailbox, post
from referee.desk.games import deadlines, gm_silence
from referee.desk.games.proposals import USUAL_EXTENSION, check_proposal
from referee.desk.orders import doubt
from referee.desk.orders.command_entries import Deed, Effect, For, command
from referee.desk.orders.letter_context import LetterContext
from referee.desk.orders.naming import seats_met
from referee.desk.players.vote_results import settle
from referee.desk.reports.vote_text import (
    closed_line,
    command_of,
    demand,
    entitled,
    known_to,
    moot,
    moved,
    standing,
)
from referee.domain.call_outs import CallOutEvent
from referee.domain.commands import CastVote as VoteCommand
from referee.domain.house_rules import VotingRules
from referee.domain.mail_transfer import Line
from referee.domain.schedules import in_words
from referee.domain.votes import Motion, VoteResult
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import VoteOpened
from referee.parsing.body import Body, Item
from referee.parsing.command_lines import ParsedCommand, read_command
from referee.parsing.items import Unparsed
from referee.parsing.lines import words_of
from referee.rules.ruleset import UserError
from referee.store.games import agenda, undo_log, votes
from referee.store.games.agenda import AgendaTopic
from referee.store.games.undo_log import UndoKind
from referee.store.games.votes import Vote
from referee.store.models import Game, GameStatus, SeatRow

_BALLOT: Final = re.compile(
    r"(?:I )?(?P<vote>VOTE )?(?P<word>YES|NO)(?: PLEASE| THANKS)?", re.IGNORECASE
)
"""An answer that does not say to what."""
_OVER: Final = "The game is over. The final standings are in another email."
_SOMEONE: Final = "a player"
"""A proposer whom the reader does not know."""


@command(VoteCommand, "VOTE", For.SEAT, Effect.BINDS, shown_in="vote_extend")
def vote(context: LetterContext, given: VoteCommand) -> Deed:
    """VOTE: a ballot in an open vote, or else a proposal to all who may vote."""
    table, row = _table(context), context.seat()
    if row.is_out:
        raise UserError(f"{row.name} is eliminated from {table.game.name}, so it has no vote.")
    winner = _winner(context, table, row, given)
    found = _open(context, given, winner)
    if found is not None:
        told = f"You vote {'yes' if given.yes else 'no'} on the proposal {moved(found)}."
        return Deed(told, lambda: _cast(context, given, found, told))
    _check_motion(context, given)
    asked = "Everyone who can vote is asked."

    def propose() -> str:
        opened = _propose(context, table, given, winner)
        new = _extended(opened, context.zone)
        due = f" By the schedule it would then be due on {new}." if new is not None else ""
        told = f"You propose {moved(opened, 'yourself')}, and vote yes.{due} {asked}"
        return _cast(context, given, opened, told)

    return Deed(asked, propose)


def _cast(context: LetterContext, given: VoteCommand, vote: Vote, told: str) -> str:
    """Count the ballot; return what was *told* of it, and where the vote stands.

    The result of a vote that it decides has an email of its own.
    """
    row, game = context.seat(), vote.game
    votes.cast(context.session, vote, row, context.now, yes=given.yes)
    undo_log.note(context.session, row, context.row, UndoKind.VOTE, f"vote {moved(vote)}")
    if settle(context.desk, vote, over=False, caster=context):
        ended = game.status is GameStatus.ENDED
        return f"{told} With that, the vote {vote.result}. {_OVER}" if ended else ""
    until = Moment(vote.closes_at, context.zone)
    hidden = "How others vote is secret." if vote.secret else standing(vote)
    return f"{told} It needs {demand(vote)}. {hidden} You can change your vote until {until}."


def with_answers(context: LetterContext, body: Body) -> Body:
    """Return the body with each bare YES or NO as the command that it means.

    That is a ballot in reply to an email about a vote. Another one is a vote that is not counted,
    and says why; without VOTE only while a vote is open.
    """
    items = [
        _answered(context, body, item) if isinstance(item, Unparsed) else item
        for item in body.items
    ]
    ballots = [each for each in items if _is_ballot(each)]
    for each in ballots:
        against = replace(each.command, ballot=not each.command.yes)
        if any(replace(other.command, ballot=other.command.yes) == against for other in ballots):
            why = "Your email votes yes and no, so neither counts."
            wrong = Unparsed(each.text, each.line, 1, why, "Send one of both.", is_command=True)
            items[items.index(each)] = wrong
    return body if tuple(items) == body.items else replace(body, items=tuple(items))


def _is_ballot(item: Item) -> TypeGuard[ParsedCommand]:
    return isinstance(item, ParsedCommand) and isinstance(item.command, VoteCommand)


def _answered(context: LetterContext, body: Body, item: Unparsed) -> Unparsed | ParsedCommand:
    said = _BALLOT.fullmatch(" ".join(words_of(item.text)))
    if said is None:
        return item
    game, seat = context.identity.game, context.identity.seat
    if game is None or seat is None:
        return item
    return _ballot(context, game, item, said, is_meant=not doubt.refuses(body, item.line))


def _ballot(
    context: LetterContext, game: Game, item: Unparsed, said: re.Match[str], *, is_meant: bool
) -> Unparsed | ParsedCommand:
    """Return the ballot in the vote of the answered email, or why it does not count."""
    running = votes.running(context.session, game)
    ours = context.answered
    is_asked = ours is not None and ours.sent.kind == "VoteOpened"
    asks = "\n".join(ours.lines.whole) if ours is not None and is_asked else ""
    asked = _asked_in(running, asks)
    if len(asked) == 1 and is_meant:
        text = f"{command_of(asked[0])} {said['word'].upper()}"
        return next(read_command([Line(item.line, text)], "VOTE"))
    ballots = [f"{command_of(vote)} {word}" for vote in running for word in ("YES", "NO")]
    if ballots:
        reason, advice = "Your vote was not counted.", f"To vote, send {' or '.join(ballots)}."
    elif over := _asked_in(votes.closed(context.session, game) if asks else [], asks):
        reason, advice = "This vote is closed.", closed_line(over[0])
    elif said["vote"]:
        reason, advice = "There is no open vote.", "STATUS shows the votes."
    else:
        return item
    return item._replace(
        reason=reason, advice=advice, at=0, is_words=False, is_command=True, others=0
    )


def _asked_in(found: Sequence[Vote], asks: str) -> list[Vote]:
    """Return the votes that an email with the text *asks* about."""
    return [vote for vote in found if f"{command_of(vote)} YES" in asks]


def _table(context: LetterContext) -> LoadedGame:
    """Return the game in which is voted. Raises UserError if it has ended."""
    table = context.table_in_play()
    if table.game.status is GameStatus.ENDED:
        raise UserError(f"{table.game.name} has ended, so there is nothing to vote on.")
    if table.game.for_one:
        raise UserError(f"You play {table.game.name} on your own, so there is nothing to vote on.")
    return table


def _winner(context: LetterContext, table: LoadedGame, row: SeatRow, command: VoteCommand) -> int:
    """Return the number of the seat that the vote is about: the winner, or the next GM; else 0.

    Raises UserError if the player has not met the seat, whether or not it exists.
    """
    if command.motion is not Motion.CONCEDE:
        return row.number if command.is_candidate else 0
    if not command.seat:
        return _only_winner(context, table.game, command)
    voted_on = {vote.winner for vote in votes.running(context.session, table.game)}
    public = {other.name: other for other in table.game.seats if other.number in voted_on}
    named = ({row.name: row} | seats_met(table, row) | public).get(command.seat)
    if named is None:
        raise UserError(f"You have not met {command.seat}, so you cannot concede to them.")
    if named not in entitled(table.game):
        raise UserError(f"{named.name} is no longer in play, so you cannot concede to them.")
    return named.number


def _only_winner(context: LetterContext, game: Game, command: VoteCommand) -> int:
    """Return the seat that the one open vote on conceding is about, for a ballot that names none.

    Raises UserError if there is not one such vote, or if the ballot is a yes: when it is read,
    another seat may be proposed than its writer knew of.
    """
    conceding = [
        vote
        for vote in votes.running(context.session, game)
        if vote.motion is Motion.CONCEDE and not moot(vote)
    ]
    if not conceding:
        raise UserError("No vote on that is open. STATUS shows the open votes.")
    if command.yes or len(conceding) > 1:
        word = "YES" if command.yes else "NO"
        forms = " or ".join(f"{command_of(vote)} {word}" for vote in conceding)
        raise UserError(f"To whom? Write {forms}.")
    return conceding[0].winner


def _open(context: LetterContext, command: VoteCommand, winner: int) -> Vote | None:
    """Return the open vote that the command is about, or None.

    Raises UserError if the vote is over or proposes another length.
    """
    for vote in votes.running(context.session, context.seat().game):
        if _is_about(vote, command, winner) and not moot(vote):
            if context.row.arrived_at > vote.closes_at:
                raise UserError("Your vote arrived after the time for it had passed.")
            span = timedelta(seconds=vote.seconds)
            if command.span not in (None, span):
                raise UserError(
                    f"A vote on {in_words(span)} is already open. Write VOTE EXTEND YES or VOTE "
                    "EXTEND NO."
                )
            return vote
    return None


def _is_about(vote: Vote, command: VoteCommand, winner: int) -> bool:
    """Return whether the command votes on *vote*. Raises UserError if it proposes another GM."""
    if vote.motion is not command.motion:
        return False
    if vote.motion is Motion.GM:
        if command.is_candidate:
            raise UserError("Such a vote is already open. Write VOTE GM YES or VOTE GM NO.")
        return True
    return vote.winner == winner


def _check_motion(context: LetterContext, command: VoteCommand) -> None:
    """Raise UserError if the player cannot propose that now."""
    row = context.seat()
    game = row.game
    name = f"CONCEDE TO {command.seat}" if command.seat else command.motion.name
    if command.ballot is not None:
        raise UserError(
            f"No vote on that is open. STATUS shows the open votes, and VOTE {name} without YES or "
            "NO proposes one."
        )
    if command.motion is Motion.RESUME and game.status is not GameStatus.HELD:
        raise UserError(f"{game.name} is not on hold.")
    if command.motion is Motion.GM:
        _check_silence(context, game, command)
    check_proposal(context.session, row, command.motion, command.span)


def _check_silence(context: LetterContext, game: Game, command: VoteCommand) -> None:
    """Raise UserError if the GM is not silent, or if a GM proposes themselves."""
    if command.is_candidate and any(gm.person is context.seat().person for gm in game.gms):
        raise UserError(f"You are a GM of {game.name}.")
    if not gm_silence.is_silent(context.session, game, context.now):
        raise UserError(
            "The GM is not silent. You can propose that if no GM writes to us for two turns and "
            "three days after a PRESS TO GM or a vote."
        )


def _propose(context: LetterContext, table: LoadedGame, command: VoteCommand, winner: int) -> Vote:
    """Open a vote, ask all who may vote, and notify the GMs."""
    row, game = context.seat(), table.game
    rules = VotingRules.of(game.options_of_house)
    closes, span = context.now + rules.length, timedelta(0)
    if command.motion is Motion.EXTEND:
        span = command.span or USUAL_EXTENSION
        end = deadlines.end_of_grace(game, context.now) or game.deadline_at
        closes = min(closes, end or closes)
    vote = Vote(
        game=game,
        turn=game.turn,
        motion=command.motion,
        seconds=int(span.total_seconds()),
        winner=winner,
        quorum=rules.quorums[command.motion],
        secret=rules.secrecy.hides(command.motion),
        opened_by=row.number,
        opened_at=context.now,
        closes_at=closes,
        outcome=VoteResult.OPEN,
    )
    context.session.add(vote)
    agenda.schedule(context.session, game, AgendaTopic.VOTES)
    context.session.flush()
    _ask(context, table, vote)
    if not vote.secret:
        until = Moment(vote.closes_at, context.site.zone)
        text = f"{game.name}: a vote is open until {until}, {moved(vote)}."
        call_out(context.desk, game, News(CallOutEvent.VOTE, None, text), f"vote{vote.id}")
    return vote


def _ask(context: LetterContext, table: LoadedGame, vote: Vote) -> None:
    game = vote.game
    for row in entitled(game):
        if row.number != vote.opened_by and row.person is not None:
            knows = not vote.secret and vote.opened_by in known_to(table, row)
            who = seat_name(game, vote.opened_by) if knows else _SOMEONE
            addressing = Addressing(
                mailbox(row.person), f"vote{vote.id}", game=game, seat=row, turn=game.turn
            )
            post(context.desk, _question(vote, who, row.person.zone), addressing)
    asked = {row.person_id for row in entitled(game)}
    for gm in game.gms:
        if gm.person_id not in asked:
            who = _SOMEONE if vote.secret else seat_name(game, vote.opened_by)
            notice = _question(vote, who, gm.person.zone, voter=False)
            addressing = Addressing(mailbox(gm.person), f"vote{vote.id}", game=game, turn=game.turn)
            post(context.desk, notice, addressing)


def _extended(vote: Vote, zone: str) -> Moment | None:
    """Return when the turn is due if a vote on its extension passes, or None for another vote."""
    due, later = vote.game.deadline_at, timedelta(seconds=vote.seconds)
    return Moment(deadlines.land(vote.game, due, later), zone) if due and later else None


def _question(vote: Vote, who: str, zone: str, *, voter: bool = True) -> VoteOpened:
    named = () if who == _SOMEONE else (who,)
    deadline = vote.game.due_at
    return VoteOpened(
        game=vote.game.name,
        who=who,
        moved=moved(vote, *named),
        demand=demand(vote),
        secret=vote.secret,
        closes=Moment(vote.closes_at, zone),
        due=_extended(vote, zone),
        command=command_of(vote) if voter else "",
        for_gm=vote.motion is Motion.GM,
        deadline=Moment(deadline, zone) if deadline is not None else None,
    )
