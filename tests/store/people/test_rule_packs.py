"""Saved packs of house rules."""

from dataclasses import replace

from referee.domain.press import PressRule, PressRules
from referee.domain.rule_packs import BUILT_IN
from referee.store import Store
from referee.store.people import rule_packs
from referee.store.privacy import disclosure, erasure
from referee.store.privacy.subject import subject_of
from tests.store.rows import NOW, a_person


def test_a_pack_is_read_as_it_was_saved_until_its_gm_is_forgotten(store: Store) -> None:
    pack = replace(
        BUILT_IN[0],
        press=PressRules(PressRule.ALL, anonymous=False, limit=7),
        ruleset="starweb",
        of_ruleset={"worlds": 60},
    )
    with store.write() as session:
        gm = a_person(session)
        rule_packs.save(session, gm, pack, NOW)
        assert rule_packs.of(session, gm) == [pack]
        subject = subject_of(session, gm)
        (told,) = disclosure.disclose(session, subject)["rule_packs"]
        assert (told["name"], told["of_ruleset"]) == ("casual", {"worlds": 60})
        erasure.erase(session, subject, NOW, "")
        assert rule_packs.of(session, gm) == []
