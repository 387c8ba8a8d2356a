"""Strategies for random StarWeb orders."""

from hypothesis import strategies as st

from referee.rulesets.starweb import orders as o

NUMBERS = st.integers(1, 300)
NAMES = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=9)
HOMES = st.sampled_from(o.Home)
TRIGGERS = st.sampled_from(o.Trigger)
MAYBE = st.none() | NUMBERS
SIGNS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=78)

_ORDERS: dict[type[o.Order], st.SearchStrategy[o.Order]] = {
    o.TransferToFleet: st.builds(o.TransferToFleet, NUMBERS, NUMBERS, NUMBERS),
    o.TransferToHome: st.builds(o.TransferToHome, NUMBERS, NUMBERS, HOMES),
    o.TransferFromHome: st.builds(o.TransferFromHome, HOMES, NUMBERS, NUMBERS, NUMBERS),
    o.TransferBetweenHomes: st.builds(o.TransferBetweenHomes, HOMES, NUMBERS, NUMBERS),
    o.ScrapShips: st.builds(o.ScrapShips, NUMBERS, NUMBERS),
    o.BuildHomeShips: st.builds(o.BuildHomeShips, NUMBERS, NUMBERS, HOMES),
    o.BuildFleetShips: st.builds(o.BuildFleetShips, NUMBERS, NUMBERS, NUMBERS),
    o.BuildIndustry: st.builds(o.BuildIndustry, NUMBERS, NUMBERS),
    o.RaiseLimit: st.builds(o.RaiseLimit, NUMBERS, NUMBERS),
    o.BuildRobots: st.builds(o.BuildRobots, NUMBERS, NUMBERS),
    o.MigratePeople: st.builds(o.MigratePeople, NUMBERS, NUMBERS, NUMBERS),
    o.MigrateConverts: st.builds(o.MigrateConverts, NUMBERS, NUMBERS, NUMBERS),
    o.MoveFleet: st.builds(
        o.MoveFleet, NUMBERS, st.lists(NUMBERS, min_size=1, max_size=3).map(tuple)
    ),
    o.ProbeFromFleet: st.builds(o.ProbeFromFleet, NUMBERS, NUMBERS),
    o.ProbeFromHome: st.builds(o.ProbeFromHome, HOMES, NUMBERS, NUMBERS),
    o.Load: st.builds(o.Load, NUMBERS, MAYBE),
    o.Unload: st.builds(o.Unload, NUMBERS, MAYBE),
    o.Jettison: st.builds(o.Jettison, NUMBERS, MAYBE),
    o.UnloadGoods: st.builds(o.UnloadGoods, NUMBERS, MAYBE),
    o.HookArtifact: st.builds(o.HookArtifact, NUMBERS, NUMBERS),
    o.DropArtifact: st.builds(o.DropArtifact, NUMBERS),
    o.FireAtFleet: st.builds(o.FireAtFleet, NUMBERS, TRIGGERS, NUMBERS),
    o.FireAtWorld: st.builds(o.FireAtWorld, NUMBERS, TRIGGERS, st.sampled_from(o.Aim)),
    o.HomeFireAtFleet: st.builds(o.HomeFireAtFleet, HOMES, NUMBERS, TRIGGERS, NUMBERS),
    o.HomeFireAtConverts: st.builds(o.HomeFireAtConverts, HOMES, NUMBERS, TRIGGERS),
    o.HoldAmbush: st.builds(o.HoldAmbush, MAYBE),
    o.DeclareAlly: st.builds(o.DeclareAlly, NAMES),
    o.DeclareNonAlly: st.builds(o.DeclareNonAlly, NAMES),
    o.DeclareLoader: st.builds(o.DeclareLoader, NAMES),
    o.DeclareNonLoader: st.builds(o.DeclareNonLoader, NAMES),
    o.DeclareJihad: st.builds(o.DeclareJihad, NAMES),
    o.GiveFleet: st.builds(o.GiveFleet, NUMBERS, NAMES),
    o.GiveWorld: st.builds(o.GiveWorld, NUMBERS, NAMES),
    o.Plunder: st.builds(o.Plunder, NUMBERS),
    o.MakePeace: st.builds(o.MakePeace, NUMBERS),
    o.EndPeace: st.builds(o.EndPeace, NUMBERS),
    o.BuildBomb: st.builds(o.BuildBomb, NUMBERS),
    o.DropBomb: st.builds(o.DropBomb, NUMBERS),
    o.RobotAttack: st.builds(o.RobotAttack, NUMBERS, NUMBERS),
    o.PostSign: st.builds(o.PostSign, st.lists(SIGNS, min_size=1, max_size=2).map(tuple)).filter(
        lambda sign: "END" not in map(str.upper, sign.lines)
    ),
    o.VoteEnding: st.builds(o.VoteEnding, st.integers(1, 20000)),
}

ORDERS = st.one_of(*_ORDERS.values())
CLASSES = frozenset(_ORDERS)
