// The history of places and units, unpacked from the differences between turns.

const SEEN = 0;
const UNEXPLORED = 2;
const data = JSON.parse(document.getElementById("data").textContent);
const me = data.owners[0];
const turns = data.turns.map((turn) => turn.n);
const present = turns[turns.length - 1];

function withNumbers(text, changes) {
  const parts = text.split(/([0-9]+)/);
  for (let at = 0; at < changes.length; at += 2) parts[changes[at]] = changes[at + 1];
  return parts.join("");
}

// A difference is 0 for none, or the new text, or -1 and the numbers that have changed, or an item for
// each line: the number of the same line before, that of a line with other numbers, or the line itself.
function applied(before, delta) {
  if (delta === 0) return before;
  if (typeof delta === "string") return delta;
  if (delta[0] === -1) return withNumbers(before, delta.slice(1));
  const old = before.split("\n");
  return delta.map((item) => {
    if (typeof item === "string") return item;
    return typeof item === "number" ? old[item] : withNumbers(old[item[0]], item.slice(1));
  }).join("\n");
}

// Each subject has `seen`, its records by the turns in which a report told of it.
const places = data.places.map(([key, panel, x, y], at) => (
  { kind: "place", at, key, name: key, panel, x, y, seen: [] }));
const units = data.units.map((name, at) => ({ kind: "unit", at, name, seen: [] }));
const grounds = data.ground.map(([key, panel, x, y, sighting]) => (
  { kind: "ground", key, name: key, panel, x, y, sighting, seen: [] }));

// A row of two has only a new text.
function placeRecord(row, before) {
  const text = applied(before ? before.text : "", row[row.length - 1]);
  if (row.length === 2) return { ...before, text };
  const [, sighting, owner, marks] = row;
  return { sighting, owner: data.words[owner], marks: data.words[marks].split(", ").filter(Boolean), text };
}

function unitRecord(row, before) {
  const text = applied(before ? before.text : "", row[row.length - 1]);
  if (row.length === 2) return { ...before, text };
  const [, key, kind, owner, place, reach] = row;
  return { key: data.words[key], unit: data.words[kind], owner: data.words[owner], place, reach, text };
}

function unpack(subjects, rows, turn, read) {
  for (const row of rows) {
    const isSame = typeof row === "number";
    const subject = subjects[isSame ? row : row[0]];
    const before = subject.seen.length ? subject.seen[subject.seen.length - 1].record : null;
    subject.seen.push({ turn, record: isSame ? before : read(row, before) });
  }
}

for (const turn of data.turns) {
  unpack(places, turn.p, turn.n, placeRecord);
  unpack(units, turn.u, turn.n, unitRecord);
}
for (const unit of units) unit.key = unit.seen[0].record.key;
const placeOf = new Map(places.map((place) => [place.key, place]));

function latest(subject, turn, fits = () => true) {
  for (let at = subject.seen.length - 1; at >= 0; at -= 1) {
    const entry = subject.seen[at];
    if (entry.turn <= turn && fits(entry.record)) return entry;
  }
  return null;
}

// What is known of a place by a turn: its last record, and the turn that record is from.
function known(place, turn) {
  const any = latest(place, turn);
  if (!any) return null;
  const entry = latest(place, turn, (record) => record.sighting === SEEN) || any;
  let state = "remembered";
  if (entry.record.sighting === UNEXPLORED) state = "unexplored";
  else if (any.turn === turn && any.record.sighting === SEEN) state = "seen";
  return { record: entry.record, from: entry.turn, state };
}

// A unit is where it was last seen, unless that place was seen since without it.
function unitAt(unit, turn) {
  const entry = latest(unit, turn);
  if (!entry) return null;
  const isNow = entry.turn === turn;
  const place = places[entry.record.place];
  const again = latest(place, turn, (record) => record.sighting === SEEN);
  const isGone = !isNow && (entry.record.owner === me || (again && again.turn > entry.turn));
  return { record: entry.record, from: entry.turn, isNow, isGone: Boolean(isGone) };
}

const unitsByTurn = new Map();

function unitsIn(place, turn) {
  if (!unitsByTurn.has(turn)) {
    const there = places.map(() => []);
    for (const unit of units) {
      const now = unitAt(unit, turn);
      if (now && !now.isGone) there[now.record.place].push({ unit, ...now });
    }
    unitsByTurn.set(turn, there);
  }
  return unitsByTurn.get(turn)[place.at];
}

// The events of a turn, each with the keys of its places.
function newsOf(turn) {
  const found = data.turns.find((each) => each.n === turn);
  return found ? found.t.map(([number, ...at]) => ({ text: data.words[number], at: at.map((each) => places[each].key) })) : [];
}

// Whether a text has a key as a word of its own.
function tells(text, key) {
  const isLetter = (letter) => letter !== undefined && /[\p{L}\p{N}_]/u.test(letter);
  for (let at = text.indexOf(key); at >= 0 && key; at = text.indexOf(key, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + key.length])) return true;
  }
  return false;
}

// The events up to a turn that were at a place, or that name a unit or place, by turn.
function mentions(key, turn) {
  return turns.filter((each) => each <= turn)
    .flatMap((each) => newsOf(each).filter(({ text, at }) => at.includes(key) || tells(text, key)).map(({ text }) => ({ turn: each, text })));
}
