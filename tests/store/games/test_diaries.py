"""Diaries belong to their writers, and what these agree to reveal counts for one game."""

from referee.domain.revealed_parts import BY_DEFAULT, RevealedPart
from referee.store import Session, Store
from referee.store.games import diaries
from referee.store.models import SeatRow
from referee.store.people import agreements
from referee.store.privacy import disclosure, erasure
from referee.store.privacy.subject import subject_of
from tests.store.rows import NOW, a_letter, a_person, a_running_game, a_seat


def _seat(session: Session) -> SeatRow:
    seat = a_seat(session, a_running_game(session))
    seat.person = seat.person or a_person(session, "sam@there")
    session.flush()
    return seat


def test_a_diary_is_of_its_writer_and_not_of_the_seat(store: Store) -> None:
    with store.write() as session:
        seat, letter = _seat(session), a_letter(session)
        writer = seat.person
        assert writer is not None
        for text in ("One.", "Two."):
            diaries.write(session, seat, letter, 1, text, NOW)
        seat.person = a_person(session, "pippin@there")
        session.flush()
        diaries.write(session, seat, letter, 2, "Mine.", NOW)
        mine, theirs = (diaries.of(session, seat.game, each) for each in (seat.person, writer))
        assert [(each.number, each.text) for each in mine] == [(1, "Mine.")]
        assert [(each.number, each.text) for each in theirs] == [(1, "One."), (2, "Two.")]
        assert len(diaries.of_game(session, seat.game)) == 3


def test_a_diary_and_its_agreements_are_shown_to_their_writer_and_erased(store: Store) -> None:
    with store.write() as session:
        seat, letter = _seat(session), a_letter(session)
        game, writer = seat.game, seat.person
        assert writer is not None
        diaries.write(session, seat, letter, 1, "MARS lied.", NOW)
        agreements.decide(session, game, writer, RevealedPart.PRESS, agrees=False)
        agreements.decide(session, game, writer, RevealedPart.PRESS, agrees=True)
        subject = subject_of(session, writer)
        shown = disclosure.disclose(session, subject)
        (entry,), (agreement,) = shown["diary_entries"], shown["agreements"]
        assert (entry["game"], entry["number"], entry["text"]) == (game.name, 1, "MARS lied.")
        assert agreement == {"game": game.name, "part": "press", "agrees": True}
        assert agreements.deviating(session, game, RevealedPart.PRESS) == {writer.id}
        erasure.erase(session, subject, NOW, "")
        assert diaries.of_game(session, game) == []
        assert agreements.of(session, game, writer) == BY_DEFAULT
        assert agreements.deviating(session, game, RevealedPart.PRESS) == frozenset()
