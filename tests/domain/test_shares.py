"""The table of shares: no free key can use up what others need."""

import ast
from collections import Counter
from collections.abc import Collection, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.domain.shares import (
    FREE,
    POOLS,
    SHARES,
    SIZES,
    WORDS,
    Charge,
    Key,
    Share,
    Size,
    Span,
    Thing,
)
from tests.support.examples import examples
from tests.support.modules import trees

ROWS = [share for shares in SHARES.values() for share in shares]
POOLED = [thing for thing, rows in SHARES.items() if any(row.key in POOLS for row in rows)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.thing.name} {row.key.name}")
def test_each_row_has_a_number_or_a_pool_that_it_is_a_part_of(row: Share) -> None:
    pools = [each for each in SHARES[row.thing] if each.key in POOLS]
    assert bool(row.numbers()) != row.of_the_rest
    assert not row.of_the_rest or len(pools) == 1


def test_a_pool_that_is_used_up_is_named_before_its_parts() -> None:
    for row in (row for row in ROWS if row.of_the_rest):
        above = SHARES[row.thing][: SHARES[row.thing].index(row)]
        charge = Charge(row.thing, {each.key: "" for each in (*above, row)})
        assert charge.pool_of(row.key)[0] in above


@pytest.mark.parametrize("thing", POOLED, ids=lambda thing: thing.name)
def test_a_free_key_is_only_a_part_of_a_pool_that_others_need(thing: Thing) -> None:
    free = {row.key: row for row in SHARES[thing] if row.key in FREE}
    assert not free or free[Key.ANYBODY].of_the_rest


@pytest.mark.parametrize("thing", Thing, ids=lambda thing: thing.name)
def test_a_thing_for_free_keys_has_one_that_costs_something(thing: Thing) -> None:
    costly = [row for row in SHARES[thing] if row.key not in FREE | POOLS]
    assert costly or not any(row.key in FREE for row in SHARES[thing])


class Spending:
    """What each key has of a thing, whether it is spent or held."""

    def __init__(self, thing: Thing, sizes: Mapping[Size, int] = SIZES) -> None:
        self.used = Counter[tuple[Key, str]]()
        self._thing, self._sizes = thing, sizes
        (pool,) = (row for row in SHARES[thing] if row.key in POOLS)
        self.most, self.pool = min(pool.numbers(sizes).values()), pool.key
        self._part = max(self.most // 100, 1)

    def take(self, **payers: str) -> int:
        """Take as much as these payers can have, and return it."""
        before = self.used[self.pool, ""]
        while (charge := self._charge(payers)).refused(self._spent, self._sizes) is None:
            for share, whose in charge.shares():
                self.used[share.key, whose] += charge.amount
        return self.used[self.pool, ""] - before

    def _charge(self, payers: Mapping[str, str]) -> Charge:
        keys = {self.pool: ""} | {Key[name]: whose for name, whose in payers.items()}
        held = {share.key: self.used[share.key, keys[share.key]] for share in self._rows(keys)}
        return Charge(self._thing, keys, self._part, held)

    def _rows(self, keys: Collection[Key]) -> list[Share]:
        return [share for share in SHARES[self._thing] if share.key in keys]

    def _spent(self, share: Share, whose: str, _span: Span) -> int:
        return self.used[share.key, whose]


@examples(30)
@given(thing=st.sampled_from(POOLED), forged=st.lists(st.text(max_size=9), max_size=20))
def test_free_keys_leave_a_third_to_a_key_that_costs_something(
    thing: Thing, forged: list[str]
) -> None:
    spending = Spending(thing)
    if any(row.key in FREE for row in SHARES[thing]):
        for name in forged:
            spending.take(CLAIMED=name, ANYBODY="")
        spending.take(ANYBODY="")
    left = spending.most - spending.used[spending.pool, ""]
    assert left >= spending.most / 3
    for key in {row.key for row in SHARES[thing] if row.of_the_rest} - FREE:
        honest = Spending(thing)
        honest.used += spending.used
        assert honest.take(**{key.name: "honest.example"}) >= left / 5


@pytest.mark.parametrize("thing", [Thing.STRANGER, Thing.NEWCOMER])
def test_networks_leave_each_other_some_of_what_is_for_those_who_prove_nothing(
    thing: Thing,
) -> None:
    spending = Spending(thing)
    took = [spending.take(ANYBODY="", NETWORK=f"network {number}") for number in range(40)]
    assert took[:8] == [8, 6, 4, 3, 2, 1, 1, 0]
    assert sum(took) == spending.take(ANYBODY="") + spending.used[Key.ANYBODY, ""] == 25
    assert spending.take(DOMAIN="honest.example", NETWORK="another network") == 19
    assert spending.take(DOMAIN="bought.example", NETWORK="another network") == 0


PAYERS: tuple[tuple[Key, ...], ...] = (
    (Key.PERSON, Key.PERSON_IN_GAME, Key.GM, Key.DOMAIN),
    (Key.CLAIMED, Key.CLAIMED_IN_GAME, Key.ANYBODY),
    (Key.SEAT, Key.DOMAIN),
    (Key.MAILBOX, Key.DOMAIN),
    (Key.MAILBOX, Key.ANYBODY),
    (Key.MAILBOX, Key.DOMAIN, Key.NETWORK),
    (Key.MAILBOX, Key.ANYBODY, Key.NETWORK),
    (Key.CLAIMED, Key.ANYBODY, Key.ANYBODY_LARGE, Key.NETWORK),
    (Key.NETWORK,),
)
"""The keys that pay together."""


@examples(30)
@given(
    thing=st.sampled_from([each for each in POOLED if len(SHARES[each]) > 1]),
    payers=st.sampled_from(PAYERS),
    size=st.integers(1, 400),
)
def test_no_payer_has_more_than_a_third_on_a_site_of_any_size(
    thing: Thing, payers: Collection[Key], size: int
) -> None:
    sizes = {each: -(-most * size // 100) for each, most in SIZES.items()}
    spending = Spending(thing, sizes)
    if any(row.key in payers for row in SHARES[thing]):
        third = -(-spending.most // 3)
        assert spending.take(**{key.name: "one" for key in payers}) <= third


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.thing.name} {row.key.name}")
def test_numbers_grow_with_their_setting(row: Share) -> None:
    grown = row.numbers({size: 3 * number for size, number in SIZES.items()})
    times = 1 if row.grows_with is None else 3
    assert grown == {span: times * number for span, number in row.numbers().items()}


def test_words_belong_to_rows() -> None:
    assert set(WORDS) <= {(row.thing, row.key) for row in ROWS}
    assert all((thing, row.key) in WORDS for thing, _ in WORDS for row in SHARES[thing])


def named(kind: str) -> set[str]:
    """Return the members of an enum of the table that the program uses outside of it."""
    return {
        node.attr
        for file, tree in trees(f"{kind}.")
        if file.name != "shares.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == kind
    }


@pytest.mark.slow
def test_each_row_and_setting_is_used() -> None:
    assert {thing.name for thing in Thing} <= named("Thing")
    assert {row.key for row in ROWS} == set(Key)
    assert {key.name for key in Key} - {"SITE"} <= named("Key")
    assert {size.name for size in Size} <= named("Size")
