"""Mail conversations against a whole referee in memory, one file each."""

from pathlib import Path

import pytest

from referee.domain.mail_transfer import OutgoingMail
from referee.domain.tokens import Kind, Place, Token, sign
from referee.testing.conversation import statements
from tests.support.talks import KEY, checked
from tests.support.token_places import misplaced
from tests.testing.test_advice_executed import SAME_ADVICE

FOLDER = Path(__file__).parent / "conversations"
NAMES = sorted(file.stem for file in FOLDER.glob("*.txt"))
SLOW = """
absence absence_again absence_errors absence_rollback acknowledged advice after_the_end
asked_at_home awaited begun_grace big_loss cancel_copies check_only claims_by_line clock clock_back
clock_back_early clock_back_in_steps clock_back_offer clock_ends_nothing confirmed_in_grace
confirmed_late corrected count_of_orders counts_for_nobody create_and_invite create_mistyped
create_start daily_letter deadlines deputy deputy_game_ended deputy_in_outage deputy_late
deputy_reminded diary_revealed diary_successor each_line eager_friends early_outage end_numbers
ending final_and_files final_aside final_extended final_extended_hold final_like_order final_limits
final_undone final_waits fistful_options gamemaster given_seat gm_confirming gm_courtesy
gm_deadline_near gm_deputy_promoted gm_evening gm_invites gm_messages gm_on_hold gm_partly gm_people
gm_reasons gm_reliability gm_reversed gm_schedules gm_sequence gm_standby gm_started_without
gm_turn_letters_outage gm_turn_letters_together gm_undo gm_undoing gm_watch_one_of_two grace_days
greetings_without_game handover handover_on_hold heading_and_words help_absence help_examples
hold_by_player hold_rollback hold_short hold_span house_rules invited joining late_nothing
leaving_by_order lines_not_read lost_mailbox missed_rounds moved_to_open_days names_tried
nothing_filed notice observers_correction observers_ending on_hold one_mailbox order_typed
orders_asked orders_elsewhere orders_next_to_join outage outage_ahead outage_ends_nothing own_name
own_reminders parts_of_robots phases_and_holidays press press_again press_at_once press_leaks
press_one_word_name press_poses_as_sheet press_quotes_sheet press_timed_ends press_timed_rollback
press_to_all_but press_to_gm press_unsent_successor press_unsigned preview quiet_hours reliability
reminded_after_undo reply_edits_report reply_of_former_player report_corrected report_formats
resign_after_end resolved_early result_of_ended returns rollback_eliminated rollback_notes rulebook
set_address set_address_everywhere set_address_forged singularity singularity_single standby
standby_listed standby_outage standby_races standby_silent standing standing_broken star_empires
star_empires_all_allied star_empires_allies star_empires_contact star_empires_meeting
star_empires_names star_empires_stranger starfarers starfarers_options starfarers_phased
starweb_turns status_of_a_seat strangers subject_command takeover time_bank time_bank_weekly
token_bounce token_reply_all tokens trust undo undo_lasting undo_seats unsigned vote_alone
vote_alone_friend vote_candidate_left vote_draw_vacant vote_end vote_ends_answer vote_ends_orders
vote_extend vote_extend_landing vote_extend_moved vote_hold vote_left vote_misuse vote_of_leaver who
who_forgotten words_and_orders
"""
"""What make test leaves out. The others have every command and every way of a letter: they pass all
1,911 functions of the desk's commands and of letters that these do. A new file is run."""
LONGEST = """
absence_errors absence_rollback deputy diary_revealed end_numbers fistful_options gm_evening
gm_sequence gm_undoing outage_ends_nothing parts_of_robots singularity singularity_single
vote_extend
"""
"""Slow ones that CI leaves out, because they take it a minute."""


def _marks(name: str) -> list[pytest.MarkDecorator]:
    if name not in SLOW.split():
        return []
    is_for_ci = name not in (SAME_ADVICE + LONGEST).split()
    return [pytest.mark.slow if is_for_ci else pytest.mark.release]


@pytest.mark.every_case
@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in NAMES])
def test_a_conversation_goes_as_written(name: str) -> None:
    with checked(name) as conversation:
        conversation.run((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def test_a_token_in_the_wrong_place_is_found() -> None:
    token = Token(Kind.SEAT, 7, 1, 1, "report1")
    reply, name = (f"x+{sign(token, place, KEY)}" for place in (Place.REPLY_TO, Place.FILE))
    parts = (
        f"Subject: hello\nReply-To: {reply}@x\nMessage-ID: <{name[2:]}@x>",
        'Content-Type: multipart/mixed; boundary="b"\n\n--b',
        f"Content-Type: text/plain\n\nWrite to {reply[:20]}\n> {reply[20:]}.\n--b",
        f'Content-Disposition: attachment; filename="a.txt"\n\n{name} {reply}\n--b--\n',
    )
    letter = OutgoingMail(1, "", f"{reply}@x", "frodo@shire.example", "\n".join(parts).encode())
    assert misplaced([letter], KEY) == [
        "hello: SEAT in RETURN_PATH (verify)",
        "hello: SEAT in the text (verify)",
        "hello: SEAT in FILE (verify)",
    ]


def test_every_listed_conversation_exists() -> None:
    assert [name for name in (SLOW + SAME_ADVICE + LONGEST).split() if name not in NAMES] == []


def test_only_a_line_after_an_empty_one_is_a_comment() -> None:
    text = "# One.\n=== sam gets\n#4\n# End of orders\n\n# Two.\n# Three.\n=== frodo gets\nZ\n"
    assert [(each.line, each.body) for each in statements(text)] == [
        (2, ("#4", "# End of orders", "")),
        (8, ("Z",)),
    ]
