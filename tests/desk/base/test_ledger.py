"""The ledger: what is left for whom, after others have spent."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import select

from referee.desk.base import ledger
from referee.desk.base.desk import Desk, Site
from referee.domain.shares import SIZES, Charge, Key, Span, Thing
from referee.letters.incoming.decode import decode
from referee.letters.outgoing.compose import Composer
from referee.store import Store
from referee.store.mail import levels
from referee.store.models import OutboxLetter
from tests.store.rows import NOW

ADDRESS = "games@referee.example"
SITE = Site({}, Composer(ADDRESS, "referee"), b"k" * 32, ADDRESS, operator="op@referee.example")


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    store = Store("sqlite://")
    store.migrate()
    yield store
    store.close()


@contextmanager
def nothing_spent(store: Store) -> Iterator[Desk]:
    """Open a desk at which nobody has spent anything, and forget what is spent there."""
    with store.write() as session:
        yield Desk(session, SITE, NOW)
        session.rollback()


@pytest.fixture
def desk(store: Store) -> Iterator[Desk]:
    with nothing_spent(store) as desk:
        yield desk


def spend(desk: Desk, charge: Charge, most: int = 10_000) -> int:
    """Spend as much as the ledger allows, and return how much."""
    for number in range(most):
        if ledger.refusal(desk, charge) is not None:
            return number
        ledger.book(desk, charge)
    return most


def by_domain(name: str, thing: Thing = Thing.STRANGER) -> Charge:
    return Charge(thing, {Key.DOMAIN: name})


def test_each_domain_has_a_third_of_the_rest(desk: Desk) -> None:
    assert [spend(desk, by_domain(f"{n}.example")) for n in range(6)] == [25, 19, 14, 11, 8, 6]


def test_each_domain_holds_a_third_of_the_rest(desk: Desk) -> None:
    players = list[str]()
    for domain in ("a", "b", "c"):
        for number in range(99):
            address = f"{number}@{number}.{domain}.example"
            if ledger.refusal(desk, ledger.holding(Thing.GAME_FOR_ONE, address, players)):
                break
            players.append(address)
    held = [sum(each.endswith(f"{domain}.example") for each in players) for domain in "abc"]
    assert held == [25, 19, 14]


def test_a_share_fills_again(desk: Desk) -> None:
    charge = Charge(Thing.IDLE, {Key.CLAIMED: "frodo@shire.example"})
    assert spend(desk, charge) == 8
    later = Desk(desk.session, SITE, NOW + timedelta(hours=1))
    assert [spend(later, charge), spend(later, charge)] == [8, 0]


def test_a_forged_letter_never_costs_the_person(desk: Desk) -> None:
    address = "frodo@shire.example"
    payers = [ledger.payers_of(address, is_known=True, is_proven=each) for each in (False, True)]
    assert spend(desk, Charge(Thing.WORK, payers[0])) == 12
    assert spend(desk, Charge(Thing.WORK, payers[1])) == 60


def test_a_confirmed_question_costs_nobody_anything(desk: Desk) -> None:
    address = "new@far.example"
    for proven in (True, False):
        payers = ledger.payers_of(address, is_known=False, is_proven=proven)
        ledger.book(desk, Charge(Thing.NEWCOMER, payers))
        assert ledger.used(desk.session, Charge(Thing.NEWCOMER, payers), NOW) == 1
        ledger.give_back(desk, address)
        assert ledger.used(desk.session, Charge(Thing.NEWCOMER, payers), NOW) == 0


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("a@b.example", "b.example"),
        ("a@x.y.shop.co.uk", "shop.co.uk"),
        ("a@user.github.io", "user.github.io"),
        ("a@localhost", "localhost"),
        ("a@CO.UK", "co.uk"),
        ("nobody", "nobody"),
    ],
)
def test_a_domain_is_one_that_somebody_had_to_register(address: str, domain: str) -> None:
    assert ledger.registered(address) == domain


def test_a_notice_is_sent_once_in_a_span(desk: Desk) -> None:
    person = {Key.PERSON: "frodo@shire.example"}
    later = Desk(desk.session, SITE, NOW + timedelta(hours=2))
    first = partial(ledger.is_first_notice, desk, Thing.NOTICE)
    assert [first(person, Span.HOUR) for _ in range(2)] == [True, False]
    # That emails are not done is more than that they are not answered.
    assert ledger.is_first_notice(desk, Thing.NOTICE_UNDONE, person, Span.HOUR)
    assert ledger.is_first_notice(later, Thing.NOTICE, person, Span.HOUR)
    assert not ledger.is_first_notice(later, Thing.NOTICE, person, Span.DAY)
    assert not first({Key.MAILBOX: "v@far.example"}, Span.HOUR)
    # What was not sent is not spent, and a notice is nothing that the operator looks after.
    assert [*levels.levels(desk.session, SIZES, NOW)] == []


def test_the_operator_reads_once_a_day_that_what_all_share_is_used_up(desk: Desk) -> None:
    payers = ledger.payers_of("v@far.example", is_known=False, is_proven=False)
    charge = Charge(Thing.STRANGER, {Key.ANYBODY: payers[Key.ANYBODY]})
    assert spend(desk, charge) == 25
    assert spend(desk, charge) == 0
    (alert,) = desk.session.scalars(select(OutboxLetter))
    assert "to unknown addresses: 25 of 25 an hour are used up by everyone who" in told(alert)


def told(alert: OutboxLetter) -> str:
    """Return the text of an alert in one line."""
    return " ".join(decode(alert.raw).text.split())


def test_shares_of_ten_domains_make_one_alert_and_the_summary_names_them(desk: Desk) -> None:
    for number in range(10):
        spend(desk, by_domain(f"{number}.example"))
    (alert,) = desk.session.scalars(select(OutboxLetter))
    assert "25 of 25 an hour are used up by emails from 0.example" in told(alert)
    assert len([*ledger.used_up(desk.session, NOW)]) == 10


def test_what_all_have_used_up_is_not_said_of_a_domain(desk: Desk) -> None:
    for number in range(40):
        spend(desk, by_domain(f"{number}.example"))
    alerts = [told(each) for each in desk.session.scalars(select(OutboxLetter))]
    assert [text for text in alerts if "of 0 an hour" in text] == []
    assert "100 of 100 an hour are used up by everyone, together" in alerts[-1]
    found = [*levels.levels(desk.session, SIZES, NOW)]
    assert {level.figures.partition(" of ")[0] for level in found} & {"0"} == set()


def test_the_summary_names_each_share_that_was_used_up(desk: Desk) -> None:
    payers = ledger.payers_of("frodo@shire.example", is_known=True, is_proven=False)
    idle, asked = Charge(Thing.IDLE, payers), Charge(Thing.STRANGER, {Key.ANYBODY: ""})
    assert [*ledger.used_up(desk.session, NOW)] == []
    assert spend(desk, idle) == 8
    assert spend(desk, asked) == 25
    assert spend(desk, asked) == 0
    assert sorted(ledger.used_up(desk.session, NOW)) == [
        f"{Thing.IDLE.value}: used up by {Key.CLAIMED.value} (1 refusal)",
        f"{Thing.STRANGER.value}: used up by {Key.ANYBODY.value} (2 refusals)",
    ]
    assert [*ledger.used_up(desk.session, NOW + timedelta(days=1))] == []


def test_the_level_of_a_network_is_a_part_of_what_those_have_who_prove_nothing(desk: Desk) -> None:
    payers = ledger.payers_of(
        "v@far.example", is_known=False, is_proven=False, network="8.8.8.0/24"
    )
    payers = {key: whose for key, whose in payers.items() if key is not Key.MAILBOX}
    assert spend(desk, Charge(Thing.STRANGER, payers)) == 8
    found = [*levels.levels(desk.session, SIZES, NOW)]
    (level,) = [each for each in found if each.share.key is Key.NETWORK and each.span is Span.HOUR]
    assert (level.used, level.most, level.ratio) == (8, 8, 1.0)


def test_levels_say_how_much_is_used_and_show_no_address(desk: Desk) -> None:
    address = "frodo@shire.example"
    for proven in (True, False):
        payers = ledger.payers_of(address, is_known=True, is_proven=proven, game="SW-1")
        spend(desk, Charge(Thing.WORK, payers), most=9)
    spend(desk, by_domain("a.example"), most=5)
    found = {
        (level.share.key, level.span): (level.used, level.most)
        for level in levels.levels(desk.session, SIZES, NOW)
    }
    assert found == {
        (Key.PERSON_IN_GAME, Span.HOUR): (9, 60),
        (Key.PERSON, Span.DAY): (9, 250),
        (Key.CLAIMED_IN_GAME, Span.HOUR): (9, 12),
        (Key.CLAIMED, Span.DAY): (9, 40),
        (Key.DOMAIN, Span.HOUR): (5, 32),
        (Key.DOMAIN, Span.DAY): (5, 165),
        (Key.SITE, Span.HOUR): (5, 100),
        (Key.SITE, Span.DAY): (5, 500),
    }
    words = [
        levels.owner_of(desk.session, each.share.key, each.whose)
        for each in levels.levels(desk.session, SIZES, NOW)
    ]
    assert not any("@" in each for each in words)
    assert "emails from a.example" in words
