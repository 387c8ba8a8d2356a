"""Observers come and go: people who read of a game in which they do not play."""

from collections.abc import Iterator
from typing import Final

from referee.desk.base.outbox_writer import Slip, mailbox, post
from referee.desk.orders.gm_authority import UNDECIDED, mastered, noted, noted_quietly, plays
from referee.desk.orders.letter_context import Visit
from referee.desk.reports.public_reports import readable
from referee.desk.seats.registration import enrol
from referee.domain.commands import Observe, StopObserving
from referee.domain.gm_commands import (
    AdmitObserver,
    CloseToObservers,
    OpenToObservers,
    RemoveObserver,
    ShowObservers,
)
from referee.letters.outgoing.local_time import Moment
from referee.letters.outgoing.notices import GameChanged
from referee.letters.outgoing.observer_notices import Observing
from referee.rules.ruleset import Mistake
from referee.store.games import games
from referee.store.models import Game, GameStatus
from referee.store.people import observers, people
from referee.store.people.observers import Observer

MOST_OBSERVERS: Final = 200
MOST_BEHIND: Final = 100


def preview_observe(visit: Visit, command: Observe) -> str:
    """OBSERVE is undone by OBSERVE and OFF."""
    game = _observable(visit, command.game)
    return f"You read the public report of each turn of {game.name}, {_later(game)}."


def observe(visit: Visit, command: Observe) -> str:
    """OBSERVE: the welcome is a letter of its own, and the newest report follows it."""
    game = _observable(visit, command.game)
    name = visit.letter.senders[0].name if visit.letter.senders else ""
    enrolled = enrol(visit.desk, visit.to.address, name, "")
    begin = max(readable(game) - 1, 0)
    observers.add(visit.session, game, enrolled.person, begin, visit.now)
    notice = Observing(
        game=game.name,
        title=game.title,
        later=_later(game),
        first=readable(game) < 1,
        account=enrolled.person.account,
        code=enrolled.code,
    )
    serial = f"observing{visit.row.id}"
    slip = Slip(mailbox(enrolled.person), serial, visit.row, visit.answered_id, game)
    visit.letters.append((notice, slip))
    return ""


def stop(visit: Visit, command: StopObserving) -> str:
    """OBSERVE OFF: it needs no proof, since all it does is to spare somebody letters."""
    game = _game(visit, command.game)
    person = people.by_address(visit.session, visit.to.address)
    observer = observers.find(visit.session, game, person) if person is not None else None
    if observer is None or observer.removed:
        raise Mistake(f"You do not observe {game.name}.")
    visit.session.delete(observer)
    return f"You observe {game.name} no more."


def preview_open(visit: Visit, command: OpenToObservers) -> str:
    """OBSERVERS ON is undone by OBSERVERS OFF."""
    game = _opened(visit, command)
    later = "at once" if not command.delay else _turns_later(command.delay)
    warning = "With no delay" if not command.delay else "If that is too soon for your game"
    return (
        f"Anybody may observe {game.name}. {later[0].upper()}{later[1:]} he reads the public "
        "report of each turn: what the rules show to everybody, the public notes and your "
        "broadcasts; no message between players, and nothing of any seat. "
        f"{warning}, an observer can tell a player what that player does not know."
    )


def open_to_all(visit: Visit, command: OpenToObservers) -> str:
    """OBSERVERS ON; who observed the game before reads on."""
    game = _opened(visit, command)
    game.observers_behind = command.delay
    return noted(visit, game, f"Observers may read the public reports, {_later(game)}.")


def preview_close(visit: Visit, _command: CloseToObservers) -> str:
    """OBSERVERS OFF is undone by OBSERVERS ON."""
    game = _open_game(visit)
    count = len(_reading(visit, game))
    told = "its observer is told" if count == 1 else f"its {count} observers are told"
    return f"Nobody observes {game.name} any more; {told}. OBSERVERS ON lets them read on."


def close(visit: Visit, _command: CloseToObservers) -> str:
    """OBSERVERS OFF: they are told at once."""
    game = _open_game(visit)
    game.observers_behind = None
    for observer in _reading(visit, game):
        _tell(visit, observer, f"{game.name} takes no observers any more: its GM decided so.")
    return noted(visit, game, "The game takes no observers any more.")


def listed(visit: Visit, _command: ShowObservers) -> str:
    """OBSERVERS LIST: by account and name, never by address."""
    game = mastered(visit, *GameStatus)
    if game.observers_behind is None:
        head = f"{game.name} takes no observers; OBSERVERS ON lets anybody observe it."
    else:
        head = f"{game.name} takes observers, who read its reports {_later(game)}."
    return "\n".join([head, *_lines(visit, game), ""])


def preview_remove(visit: Visit, command: RemoveObserver) -> str:
    """OBSERVERS REMOVE is undone by OBSERVERS ADMIT."""
    observer = _named(visit, command.account, removed=False)
    return (
        f"{_who(observer)} observes {observer.game.name} no more and is told so. He cannot "
        f"observe it again until OBSERVERS ADMIT #{command.account}."
    )


def remove(visit: Visit, command: RemoveObserver) -> str:
    """OBSERVERS REMOVE: he is told at once."""
    observer = _named(visit, command.account, removed=False)
    observer.removed = True
    game = observer.game
    _tell(visit, observer, f"You observe {game.name} no more: its GM decided so.")
    what = f"{_who(observer)} may not observe the game any more."
    return noted_quietly(visit, game, what, what)


def preview_admit(visit: Visit, command: AdmitObserver) -> str:
    """OBSERVERS ADMIT is undone by OBSERVERS REMOVE."""
    observer = _named(visit, command.account, removed=True)
    return f"{_who(observer)} may observe {observer.game.name} again, when he asks for it."


def admit(visit: Visit, command: AdmitObserver) -> str:
    """OBSERVERS ADMIT."""
    observer = _named(visit, command.account, removed=True)
    what = f"{_who(observer)} may observe the game again."
    visit.session.delete(observer)
    return noted_quietly(visit, observer.game, what, what)


def _game(visit: Visit, name: str) -> Game:
    """Give the game that the command names, or else the letter. Raises Mistake for none."""
    if not name:
        return visit.game()
    game = games.by_name(visit.session, name)
    if game is None:
        raise Mistake(f"There is no game {name}. LIST shows the games there are.")
    return games.lock(visit.session, game)


def _observable(visit: Visit, name: str) -> Game:
    """Give the game that the sender may observe. Raises Mistake, in words for him, for none."""
    game = _game(visit, name)
    person = people.by_address(visit.session, visit.to.address)
    if plays(game, person):
        raise Mistake(
            f"You play in {game.name} yourself, and your own reports tell you more than an "
            "observer reads."
        )
    if game.observers_behind is None or game.status is GameStatus.ENDED:
        raise Mistake(f"{game.name} takes no observers. LIST shows the games that do.")
    observer = observers.find(visit.session, game, person) if person is not None else None
    if observer is not None and observer.removed:
        raise Mistake(f"The GM of {game.name} has decided that you may not observe it.")
    if observer is not None:
        raise Mistake(f"You observe {game.name} already. OBSERVE {game.name} OFF ends it.")
    if len(observers.of(visit.session, game)) >= MOST_OBSERVERS:
        raise Mistake(f"{game.name} has {MOST_OBSERVERS} observers, which is the most.")
    return game


def _opened(visit: Visit, command: OpenToObservers) -> Game:
    game = mastered(visit, *UNDECIDED)
    if command.delay > MOST_BEHIND:
        raise Mistake(f"At most {MOST_BEHIND} turns later. OBSERVERS OFF lets nobody read.")
    if game.observers_behind == command.delay:
        raise Mistake(f"{game.name} takes observers already, who read {_later(game)}.")
    return game


def _open_game(visit: Visit) -> Game:
    game = mastered(visit, *UNDECIDED)
    if game.observers_behind is None:
        raise Mistake(f"{game.name} takes no observers.")
    return game


def _reading(visit: Visit, game: Game) -> list[Observer]:
    return [each for each in observers.of(visit.session, game) if not each.removed]


def _named(visit: Visit, account: int, *, removed: bool) -> Observer:
    """Give the observer of that account. Raises Mistake when there is none such."""
    game = mastered(visit, *UNDECIDED)
    for observer in observers.of(visit.session, game):
        if observer.person.account == account and observer.removed is removed:
            return observer
    kind = "removed observer" if removed else "observer"
    raise Mistake(f"{game.name} has no {kind} #{account}. OBSERVERS LIST shows those there are.")


def _lines(visit: Visit, game: Game) -> Iterator[str]:
    found = observers.of(visit.session, game)
    for observer in found:
        since = Moment(observer.since, visit.zone)
        read = f"has read turn {observer.read_turn}" if observer.read_turn else "has read nothing"
        yield f"  {_who(observer)}, since {since}, {'removed' if observer.removed else read}"
    if not found:
        yield "  Nobody observes it."


def _who(observer: Observer) -> str:
    name = f" {observer.person.name}" if observer.person.name else ""
    return f"#{observer.person.account}{name}"


def _later(game: Game) -> str:
    return _turns_later(game.observers_behind) if game.observers_behind else "at once"


def _turns_later(delay: int) -> str:
    return f"{delay} turn{'s' if delay != 1 else ''} later"


def _tell(visit: Visit, observer: Observer, what: str) -> None:
    notice = GameChanged(observer.game.name, observer.game.turn, what, None)
    slip = Slip(mailbox(observer.person), f"observer{visit.row.id}", game=observer.game)
    post(visit.desk, notice, slip)
