"""Corrections of a game by the GM, written as records of the printout."""

from collections.abc import Iterator
from typing import TypeVar

from referee.rules.ruleset import UserError
from referee.rulesets.starweb.sightings import show_correction
from referee.rulesets.starweb.state import State
from referee.rulesets.starweb.text.patch import amend
from referee.rulesets.starweb.text.printout import FleetRecord, WorldRecord
from referee.rulesets.starweb.text.records import read_records
from referee.rulesets.starweb.text.snapshot import bare_record, fleet_record
from referee.rulesets.starweb.text.wording import label, shown

R = TypeVar("R", WorldRecord, FleetRecord)


def correct(state: State, text: str) -> tuple[State, str]:
    """Return the state corrected by the records in *text*, and a description of the changes.

    A record changes only the fields it names. ``F5[A]=3`` without a world leaves the fleet where
    it is; under a world's record it moves the fleet there. ``[CERES]: (Score=481)`` sets a score.
    The reports show the players what they have after the correction, and whom they meet by it.
    *state* is not changed. Raises UserError like ``read_records`` and ``amend``.
    """
    entries = read_records(text)
    if not (entries.worlds or entries.fleets or entries.players):
        raise UserError("line 1, column 1: expected a record, such as W3 (Metal=15) or F5[A]=2")
    corrected = state.copy()
    amend(corrected, entries)
    show_correction(corrected)
    lines = list(_effects(state, corrected))
    return corrected, "\n".join(lines) or "Nothing changes: the game has these values already."


def _effects(before: State, after: State) -> Iterator[str]:
    for number, world in sorted(after.worlds.items()):
        was, now = bare_record(before, before.worlds[number]), bare_record(after, world)
        yield from _changes(f"W{number}", was, now)
    for number, fleet in sorted(after.fleets.items()):
        old = before.fleets[number]
        if old.world != fleet.world:
            yield f"F{number}: at W{fleet.world} (before: at W{old.world})"
        yield from _changes(f"F{number}", fleet_record(before, old), fleet_record(after, fleet))
    for seat, player in sorted(after.players.items()):
        score = before.players[seat].score
        if score != player.score:
            yield f"[{player.name}]: score {player.score} (before: {score})"


def _changes(what: str, was: R, now: R) -> Iterator[str]:
    for name, old, new in zip(was._fields, was, now, strict=True):
        if old != new:
            yield f"{what}: {label(name)} {shown(new)} (before: {shown(old)})"
