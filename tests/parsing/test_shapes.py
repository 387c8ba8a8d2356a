"""The forms of orders, read from grammars of every construction."""

import pytest
from lark.exceptions import LarkError

from referee.parsing.shapes import Shapes
from referee.rules.ruleset import Grammar

SOURCE = """
order   : load | fire | send | name
        | "STAY" -> stay
load    : FLEET "L" NUMBER?
fire    : FLEET TRIGGER target
send    : FLEET ("," (NUMBER | HOME))* "TO"i place
name    : "NAME" KIND _words
?target : FLEET | "P" NUMBER
place   : NUMBER | target
_words  : WORD+
FLEET   : /F[1-9]/
TRIGGER : "A" | "C"
HOME    : /[IP]/
KIND    : /[TSCD]/
NUMBER  : /[0-9]+/
WORD    : /[X-Z]+/
%ignore " "
"""
TOY = Shapes(Grammar(SOURCE, {}, blocks={"Sign": str}))


def test_a_form_is_an_alternative_with_its_optional_parts_and_few_letters() -> None:
    assert TOY.all() == [
        "stay: STAY",
        *("load: FLEET L NUMBER", "load: FLEET L"),
        *("fire: FLEET A target", "fire: FLEET C target"),
        *("send: FLEET , NUMBER TO place", "send: FLEET , I TO place"),
        *("send: FLEET , P TO place", "send: FLEET TO place"),
        "name: NAME KIND _words",
        *("target: FLEET", "target: P NUMBER"),
        *("place: NUMBER", "place: target"),
        "_words: WORD",
        "SIGN",
    ]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("F1L", {"load: FLEET L"}),
        ("f1 l 20", {"load: FLEET L NUMBER"}),
        ("F1cF2", {"fire: FLEET C target", "target: FLEET"}),
        ("F1,p,3,I to 4", {"send: FLEET , P TO place", "place: NUMBER"}),
        ("F1TOP4", {"send: FLEET TO place", "place: target", "target: P NUMBER"}),
        ("NAME D X Y", {"name: NAME KIND _words", "_words: WORD"}),
        ("STAY", {"stay: STAY"}),
        ("sign", {"SIGN"}),
    ],
)
def test_an_order_has_its_form_and_those_of_its_parts(text: str, forms: set[str]) -> None:
    assert TOY.of(text) == forms
    assert forms <= {*TOY.all()}


def test_other_texts_are_refused() -> None:
    with pytest.raises(LarkError):
        TOY.of("F1L2L")
