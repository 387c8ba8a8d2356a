"""A game resolved again from what was stored, to prove that it was resolved right."""

from collections.abc import Iterator
from itertools import pairwise

from referee.desk.house import House
from referee.desk.tables import dice_of, lay_turn
from referee.rules.ruleset import Seat
from referee.store import Session, codec, games
from referee.store.models import Game, TurnRow


def replay(session: Session, house: House, game: Game) -> list[str]:
    """Resolve every stored turn again; give the differences, none when all are identical.

    Each turn is resolved from its stored state, sheets and dice, corrected as GMs did, and compared
    with the next turn's stored state and with its own outcomes.
    """
    turns = games.turns_of(session, game)
    return [
        difference
        for before, after in pairwise(turns)
        for difference in _compare(house, game, before, after)
    ]


def _compare(house: House, game: Game, before: TurnRow, after: TurnRow) -> Iterator[str]:
    table = lay_turn(house, game, before)
    sheets = {Seat(int(seat)): table.read(texts) for seat, texts in (before.sheets or {}).items()}
    missed = frozenset(Seat(seat) for seat in before.missed or ())
    resolution = table.ruleset.resolve(table.state, sheets, missed, dice_of(game))
    state = resolution.state
    for text in after.corrections:
        state, _ = table.ruleset.correct(state, text)
    if codec.encode(state).digest != after.digest:
        yield f"turn {before.number}: the state after it is another one"
    for seat, outcomes in resolution.outcomes.items():
        again = [[table.ruleset.render(o), out.done, out.reason] for o, out in outcomes]
        stored = (before.outcomes or {}).get(str(seat), [])
        for now_, then in zip(again, stored, strict=False):
            if now_ != then:
                yield f"turn {before.number}, seat {seat}, {then[0]}: {then[2]} / {now_[2]}"
        if len(again) != len(stored):
            yield f"turn {before.number}, seat {seat}: {len(stored)} / {len(again)} orders"
