"""Mail conversations against a whole referee in memory, one file each."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.domain.mail_transfer import OutgoingMail
from referee.domain.tokens import Kind, Place, Token, sign
from referee.plugins import installed_rulesets
from referee.testing.conversation import Conversation, statements
from tests.support.listeners import noticing
from tests.support.token_places import misplaced
from tests.support.verdicts import witnessed

KEY = b"k" * 32
FOLDER = Path(__file__).parent / "conversations"
NAMES = sorted(file.stem for file in FOLDER.glob("*.txt"))
SLOW = """
absence absence_errors absence_rollback acknowledged advice advice_to_gm asked_at_home big_loss
check_only clock clock_back clock_back_offer coming_turns confirmed_late corrected count_of_orders
create_mistyped daily_letter daily_letter_of_games deadlines deputy deputy_misuse deputy_reminded
diary diary_revealed diary_successor end_numbers ending final_aside final_aside_waits final_extended
final_extended_hold final_limits final_resumed final_waits fistful fistful_options gamemaster
gm_admission gm_approving gm_confirming gm_courtesy gm_deadlines gm_demoting gm_deputy
gm_deputy_promoted gm_eliminating gm_ending gm_looking gm_messages gm_no_change gm_observers
gm_orders gm_partly gm_people gm_reasons gm_reliability gm_schedules gm_sequence gm_shaping gm_slips
gm_standby gm_starting gm_turn_letters gm_turn_letters_outage gm_turn_letters_together gm_undoing
gm_watch_one_of_two gm_who_plays guide handover help_absence help_examples history hold_by_player
hold_short hold_span hold_time house_rules joining late_nothing leaving_by_order lost_mailbox
machines machines_and_people maps not_read_below nothing_filed notice observers observers_correction
observers_ending on_hold order_typed orders_asked orders_elsewhere outage outage_ahead own_reminders
phases_and_holidays play press press_again press_at_once press_leaks press_poses_as_sheet
press_quotes_sheet press_timed press_timed_ends press_timed_rollback press_to_all_but press_to_gm
press_unsigned preview privacy private_game questions quiet_hours reliability reminded
reply_above_attribution reply_edits_report reply_edits_sheet reply_edits_unsafe report_corrected
report_formats resolved_early returns robots rollback_notes rule_packs rulebook second_address
set_address set_address_errors set_address_everywhere set_address_forged settings singularity
singularity_single standby standby_outage standby_pool standby_races standby_silent standing
standing_broken standing_shown star_empires_contact star_empires_meeting starfarers
starfarers_options starfarers_phased status_of_a_seat strangers takeover time_bank tokens trust undo
undo_refused undo_seats vote_concede vote_draw vote_draw_vacant vote_end vote_extend vote_gm
vote_misuse vote_hold who
"""
"""What make test leaves out. Every other file, and every new one, is run."""
SAME_SQL = """
absence absence_errors absence_rollback acknowledged advice advice_to_gm after_the_end asked_at_home
awaited begun_grace cancel_copies check_only claims_by_line clock coming_turns
confirmed_after_deadline confirmed_in_grace confirmed_late corrected count_of_orders
counts_for_nobody create_mistyped create_start daily_letter daily_letter_of_games deadlines deputy
deputy_game_ended deputy_in_outage deputy_late deputy_misuse diary_successor doubt eager_friends
early_outage end_numbers ending final_and_files final_aside final_aside_waits final_like_order
final_resumed final_undone final_waits fistful fistful_options gamemaster gestures gm_admission
gm_confirming gm_courtesy gm_deadline_near gm_deadlines gm_deputy gm_deputy_promoted gm_ending
gm_evening gm_invites gm_no_change gm_partly gm_people gm_reasons gm_schedules gm_slips
gm_started_without gm_starting gm_turn_letters gm_turn_letters_outage gm_undo_tells_nothing
gm_undoing gm_watch_one_of_two gm_who_plays greetings_without_game guide handover_on_hold
heading_and_words help_absence help_examples help_gm history hold_short hold_span joining
leaving_by_order lines_not_read lost_mailbox machines machines_and_people maps missed_rounds
names_tried not_read_below nothing_filed observers_correction observers_ending on_hold one_mailbox
only_quoted_words orders_asked orders_elsewhere orders_next_to_join outage_ends_nothing own_name
own_reminders own_words_quoted parts_of_robots phases_and_holidays press press_again press_at_once
press_leaks press_one_word_name press_poses_as_sheet press_quotes_sheet press_scripts
press_timed_ends press_timed_rollback press_to_all_but press_to_gm press_unsent_successor previews
questions quiet_hours reliability reminded reminded_after_undo reply_above_attribution
reply_edits_report reply_edits_sheet reply_of_former_player report_corrected report_formats
report_present resign_after_end result_of_ended returns rollback_eliminated rulebook set_address
set_address_forged standby standby_outage standby_races standby_silent standing standing_broken
standing_shown star_empires star_empires_abandoned star_empires_all_allied star_empires_allies
star_empires_contact star_empires_meeting star_empires_names star_empires_stranger starfarers
starfarers_options starfarers_phased starweb_turns status_of_a_seat strangers subject_command
takeover text_of_programs time_bank token_bounce token_forwarded token_reply_all trust tutorial
undo_lasting undo_questions undo_refused undo_seats unsigned vote_alone vote_candidate_left
vote_concede vote_draw_vacant vote_ends_answer vote_ends_orders vote_extend vote_extend_landing
vote_extend_moved vote_left vote_misuse vote_of_leaver who words_and_orders
"""
"""What CI does not repeat on PostgreSQL, because their SQL statements are those of the others."""


def _marks(name: str) -> list[pytest.MarkDecorator]:
    marks = ((pytest.mark.slow, SLOW), (pytest.mark.same_sql, SAME_SQL))
    return [mark for mark, names in marks if name in names.split()]


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in NAMES])
def test_a_conversation_goes_as_written(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    with (
        noticing() as forgotten,
        witnessed() as lost,
        closing(Conversation(installed_rulesets())) as conversation,
    ):
        conversation.run(file.read_text(encoding="utf-8"))
    assert forgotten == []
    assert lost == []
    assert misplaced(conversation.mailed, KEY) == []


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
    assert [name for name in (SLOW + SAME_SQL).split() if name not in NAMES] == []


def test_only_a_line_after_an_empty_one_is_a_comment() -> None:
    text = "# One.\n=== sam gets\n#4\n# End of orders\n\n# Two.\n# Three.\n=== frodo gets\nZ\n"
    assert [(each.line, each.body) for each in statements(text)] == [
        (2, ("#4", "# End of orders", "")),
        (8, ("Z",)),
    ]
