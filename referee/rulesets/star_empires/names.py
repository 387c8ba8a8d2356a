"""Names for the places of a new galaxy and for empires, and the sort order of names."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from referee.rules.dice import Dice


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


LONGEST: Final = 25
"""The most characters in the name of a ship, a class or anything on the map."""

WORLDS: Final = _words("""
    Abalon Acheron Adrasta Aldera Amaranth Anvil Arbor Arden Argent Ashfall Aster Aurum Avalon
    Banshee Basalt Belisar Beryl Birch Borealis Brimstone Cairn Calyx Candor Caravel Cinder
    Cobalt Concord Coral Corvus Crescent Crucible Cygnus Dagger Dawn Delphi Drumlin Dunmore Dusk
    Eddystone Ember Emberly Erebus Esker Eventide Fallow Farhold Fenwick Ferrum Fjord Flint
    Foundry Galena Garnet Gilead Glacier Granite Greywater Halcyon Harbor Hearth Heron Hollow
    Horizon Ibex Indigo Inkwell Isthmus Ivory Jasper Jericho Juniper Karst Kestrel Kiln Krait
    Lantern Larkspur Lattice Lethe Linden Lodestar Lumen Lyric Magma Mandrake Maren Meridian
    Mica Mistral Moraine Myrtle Nadir Nettle Nimbus Nocturne Oasis Obsidian Ochre Onyx Osprey
    Palisade Parallax Pearl Pinnacle Pumice Quarry Quill Ravine Redoubt Reverie Rook Russet
    Sable Saffron Sandbar Scarp Sequoia Shale Sickle Sienna Slate Solace Sorrel Spindle Sterling
    Talus Tamarack Tansy Tempest Terrace Thistle Tinder Topaz Tundra Umber Undertow Vellum Vesper
    Viridian Wander Warren Wicker Willow Windrose Yarrow Yonder Zenith Zephyr Zircon
    """)
PORTALS: Final = _words("""
    Archway Breach Causeway Corridor Crossing Culvert Doorway Eyelet Funnel Gantry Hatch Inlet
    Keyhole Lockgate Loophole Maw Narrows Notch Passage Postern Rift Shaft Sluice Spillway
    Threshold Throat Tunnel Turnstile Vent Viaduct Wicket Wormwood
    """)
STORMS: Final = _words("""
    Anger Bellow Bluster Chaos Cyclone Discord Fury Gale Havoc Howl Hurricane Maelstrom Malice
    Outrage Rampage Ravage Riot Ruin Scourge Screamer Squall Surge Tantrum Thunder Torment
    Torrent Tumult Turmoil Typhoon Uproar Vortex Wrath
    """)
NEBULAE: Final = _words("""
    Blanket Canopy Cloak Cobweb Cocoon Curtain Darkling Drape Fog Gauze Gloom Haze Lace Mantle
    Mist Murk Muslin Pall Plume Shade Shadow Shroud Silk Smoke Smudge Sombre Twilight Veil Vapour
    Voile Wimple Woodsmoke
    """)
EMPIRES: Final = _words("""
    Amber Azure Black Blue Bronze Brown Copper Crimson Cyan Gold Green Grey Jade Lime Magenta
    Maroon Mauve Navy Olive Orange Pink Plum Purple Red Rose Ruby Scarlet Silver Tan Teal Violet
    White Yellow
    """)


def drawn(names: Sequence[str], dice: Dice, taken: set[str]) -> Iterator[str]:
    """Return endless names in random order, none of them taken, and add each to *taken*.

    When the list is used up, its names come again with a number: ``Vega2``.
    """
    number = 1
    while True:
        for name in dice.shuffled(names):
            numbered = name if number == 1 else f"{name}{number}"
            if numbered not in taken:
                taken.add(numbered)
                yield numbered
        number += 1


Natural = tuple[tuple[int, str], ...]


def natural(name: str) -> Natural:
    """Return a key that sorts p2 before p10, ignoring case."""
    parts = re.findall("[0-9]+|[^0-9]+", name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in parts)
