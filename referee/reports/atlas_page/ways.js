// Distances and ways, by links or by hexes.

const ROW = Math.sqrt(3) / 2;
const isHexes = data.grid.endsWith("hexes");

function gatesFrom(place, turn) {
  const next = [];
  for (const [one, other, since, kind] of data.links) {
    if (since > turn || kind === "near") continue;
    if (one === place.at) next.push(places[other]);
    else if (other === place.at && kind !== "jump") next.push(places[one]);
  }
  return next;
}

function hasLinks(turn) {
  return data.links.some(([, , since, kind]) => since <= turn && kind !== "near");
}

// The places one step away for a unit that goes from place to place: on a map of hexes, those next to it too.
function stepsFrom(place, turn) {
  const near = isHexes ? places.filter((other) => other !== place && apart(place, other) === 1 && known(other, turn)) : [];
  return [...gatesFrom(place, turn), ...near];
}

// All places on a way of at most so many links, each with the place before it.
function reached(from, turn, most = Infinity, around = gatesFrom) {
  const before = new Map([[from, null]]);
  let edge = [from];
  for (let step = 0; step < most && edge.length; step += 1) {
    const next = [];
    for (const place of edge) {
      for (const other of around(place, turn)) {
        if (!before.has(other)) {
          before.set(other, place);
          next.push(other);
        }
      }
    }
    edge = next;
  }
  return before;
}

// The places on a shortest way, without the first; null if there is none.
function shortest(from, to, turn, around = gatesFrom) {
  const before = reached(from, turn, Infinity, around);
  if (!before.has(to)) return null;
  const way = [];
  for (let place = to; place !== from; place = before.get(place)) way.unshift(place);
  return way;
}

// The axial coordinates of a hex: the column along a row, and the row.
function axial(spot) {
  const [along, across] = data.grid === "flat hexes" ? [spot.y, spot.x] : [spot.x, spot.y];
  const row = Math.round(across / ROW);
  return { q: Math.round(along - row / 2), r: row };
}

function plane(spot) {
  const [, name, level] = data.panels[spot.panel];
  return { name, level };
}

// The distance in hexes, or in the unit of the map; null if there is none.
function apart(one, other) {
  const [here, there] = [plane(one), plane(other)];
  if (data.grid === "none" || here.name !== there.name) return null;
  const levels = Math.abs(here.level - there.level);
  if (!isHexes) return Math.max(Math.hypot(one.x - other.x, one.y - other.y), levels);
  const [a, b] = [axial(one), axial(other)];
  const [q, r] = [a.q - b.q, a.r - b.r];
  return Math.max(Math.abs(q), Math.abs(r), Math.abs(q + r), levels);
}

// Directions 1 to 6 from north-east clockwise, as axial steps of pointy hexes.
const DIRECTIONS = [[1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1]];

// The steps of a straight way: each a direction, 0 for none, and a level up or down.
function stepsTo(from, to) {
  let at = axial(from);
  const end = axial(to);
  let levels = plane(to).level - plane(from).level;
  const far = (q, r) => Math.max(Math.abs(end.q - q), Math.abs(end.r - r), Math.abs(end.q - q + end.r - r));
  const steps = [];
  while (far(at.q, at.r) > 0 || levels !== 0) {
    let direction = 0;
    const left = far(at.q, at.r);
    for (let way = 1; way <= 6 && left > 0 && !direction; way += 1) {
      const [q, r] = DIRECTIONS[way - 1];
      if (far(at.q + q, at.r + r) < left) {
        direction = way;
        at = { q: at.q + q, r: at.r + r };
      }
    }
    const level = levels > 0 ? "+" : levels < 0 ? "-" : "=";
    levels -= Math.sign(levels);
    steps.push({ direction: String(direction), level });
  }
  return steps;
}
