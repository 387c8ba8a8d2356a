"""The orders of each part of a round, and the order in which they are carried out."""

from collections.abc import Mapping
from typing import Final

from referee.rulesets.starfarers.orders import (
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Escort,
    Explore,
    Hire,
    Offer,
    Order,
    PortTrade,
    Resign,
    SetAlliance,
    SetStance,
    StandBack,
    Teleport,
    Travel,
    Want,
)
from referee.rulesets.starfarers.state import Stage

SENDING: Final = (Escort,)
MOVING: Final = (Explore, Travel, Teleport)
MEETING: Final = (Attack, Want, StandBack, Avoid, EncounterAnswer, Hire, Barter)
WORKING: Final = (PortTrade, Offer, BuildBase, BuildRing, BuildShip, Enhance)
ALWAYS: Final = (SetStance, SetAlliance, Resign)
PHASES: Final[Mapping[type[Order], int]] = {
    **dict.fromkeys((*ALWAYS, *SENDING), 0),
    **dict.fromkeys(MOVING, 1),
    **dict.fromkeys(MEETING, 2),
    **dict.fromkeys((PortTrade, Offer), 3),
    **dict.fromkeys((BuildBase, BuildRing, BuildShip, Enhance), 4),
}
"""The place of each kind of order in the round."""

ACCEPTED: Final[Mapping[Stage, tuple[type[Order], ...]]] = {
    Stage.TURN: (*SENDING, *MOVING, *MEETING, *WORKING, *ALWAYS),
    Stage.TRAVEL: (*SENDING, *MOVING, *MEETING, *ALWAYS),
    Stage.BUILD: (*WORKING, *ALWAYS),
    Stage.OVER: (),
}
"""The orders accepted in each part."""
