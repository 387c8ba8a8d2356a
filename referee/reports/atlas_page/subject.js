// What is selected, and what is known of it.

const $ = (id) => document.getElementById(id);
const state = { turn: present, subject: null, form: null, chosen: {} };
const board = new Board($("map"), present);

function make(name, values, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(values || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list") element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

// Names come from players: they stand apart, so that one in another direction moves nothing.
const named = (text) => make("bdi", { className: "name" }, text);
const said = (text) => make("p", { className: "said", dir: "auto" }, text);
const linkTo = (subject, label) => make("button", { type: "button", className: "plain", onclick: () => select(subject) },
  named(label || subject.key));

function whose(owner) {
  if (!owner) return "without an owner";
  if (owner === "?") return "of an unknown owner";
  return owner === me ? "yours" : `of ${owner}`;
}

// Nobody knows who owns a place that is unexplored.
const isHidden = (record) => record.sighting === UNEXPLORED && !record.owner;
const ownedBy = (record) => (isHidden(record) ? "unexplored" : whose(record.owner));

function stateOf(subject, turn) {
  if (subject.kind === "ground") return "";
  const now = subject.kind === "unit" ? unitAt(subject, turn) : known(subject, turn);
  if (!now) return `not known in turn ${turn}`;
  if (now.state === "unexplored") return "unexplored";
  if (now.state === "seen" || now.isNow) return `in the report of turn ${turn}`;
  return now.isGone ? `not there in later reports; last in the report of turn ${now.from}` : `last in the report of turn ${now.from}`;
}

function standing(subject, record) {
  return isHidden(record) ? ownedBy(record) : `${ownedBy(record)}, ${stateOf(subject, state.turn)}`;
}

function describe(subject) {
  if (subject.kind === "ground") return subject.key;
  if (subject.kind === "unit") {
    const now = unitAt(subject, state.turn);
    if (!now) return subject.key;
    const { owner, unit, place } = now.record;
    return `${subject.key}, ${owner === me ? `your ${unit}` : owner ? `${unit} of ${owner}` : unit}, at ${places[place].key}`;
  }
  const now = known(subject, state.turn);
  if (!now) return subject.key;
  const there = unitsIn(subject, state.turn).map((each) => each.unit.key).slice(0, 8).join(" ");
  return `${subject.key}, ${standing(subject, now.record)}${there ? `, with ${there}` : ""}`;
}

function tell(text) {
  $("status").textContent = text;
}

function spotOf(subject) {
  if (subject.kind !== "unit") return subject;
  const entry = unitAt(subject, state.turn) || { record: subject.seen[0].record };
  return places[entry.record.place];
}

function select(subject, { focus = false } = {}) {
  state.subject = subject;
  const spot = spotOf(subject);
  if (spot.panel !== board.panel) showPanel(spot.panel);
  board.chosen = spot;
  board.way = [];
  board.show(spot);
  board.mark();
  closeComposer();
  showSubject();
  if (spot.kind === "place") $("from").value = spot.key;
  tell(describe(subject));
  if (focus) $("subject").focus();
}

function facts(subject) {
  const now = subject.kind === "unit" ? unitAt(subject, state.turn) : known(subject, state.turn);
  if (!now) return [make("p", {}, `Nothing was known of it in turn ${state.turn}.`)];
  const { record } = now;
  const told = standing(subject, record);
  const first = make("p", {}, `${told[0].toUpperCase()}${told.slice(1)}.`);
  if (subject.kind === "unit") {
    const reach = record.reach ? make("p", {}, `It can move ${record.reach} ${isHexes ? "hexes" : "steps"} in a turn.`) : "";
    return [first, make("p", {}, `${record.unit}, at `, linkTo(places[record.place])), record.text ? said(record.text) : "", reach];
  }
  const there = unitsIn(subject, state.turn);
  const next = gatesFrom(subject, state.turn);
  return [first, record.marks.length ? make("p", {}, record.marks.join(", ")) : "", record.text ? said(record.text) : "",
    ...listed("Here", there.map((each) => ({ subject: each.unit, label: `${each.unit.key}${each.isNow ? "" : "?"}` }))),
    ...listed("Ways to", next.map((place) => ({ subject: place, label: place.key })))];
}

function listed(title, entries) {
  if (!entries.length) return [];
  const items = entries.map(({ subject, label }) => make("li", {}, linkTo(subject, label)));
  return [make("h3", {}, title), make("ul", { className: "tight" }, ...items)];
}

// The records of a unit or place, the newest first, each with the turns that told the same.
function past(subject) {
  const runs = [];
  for (const entry of subject.seen.filter((each) => each.turn <= state.turn)) {
    const last = runs[runs.length - 1];
    if (last && last.record === entry.record) last.until = entry.turn;
    else runs.push({ record: entry.record, from: entry.turn, until: entry.turn });
  }
  return runs.reverse();
}

function historyOf(subject) {
  const told = mentions(subject.key, state.turn);
  const items = past(subject).map(({ record, from, until }) => {
    const when = from === until ? `Turn ${from}` : `Turns ${from} to ${until}`;
    const at = subject.kind === "unit" ? ` at ${places[record.place].key}` : "";
    const news = told.filter((each) => each.turn >= from && each.turn <= until).map((each) => said(each.text));
    return make("li", {}, make("strong", {}, when), ": ", named(ownedBy(record)), named(at), ...news,
      record.text ? said(record.text) : "");
  });
  return make("details", {}, make("summary", {}, `History (${items.length})`), make("ul", {}, ...items));
}

function showSubject() {
  const { subject } = state;
  if (!subject) return;
  $("subject").replaceChildren(named(subject.key));
  const parts = subject.kind === "ground" ? [make("p", {}, "A hex of the map.")] : [...facts(subject), historyOf(subject)];
  $("about").replaceChildren(...parts.filter(Boolean));
  showForms();
}

function showNews() {
  if (!$("told").open) return;
  const news = newsOf(state.turn).map(({ text }) => said(text));
  $("news").replaceChildren(make("h3", {}, `Turn ${state.turn}`), ...(news.length ? news : [make("p", {}, "No news.")]));
}

function showList() {
  if (!$("list").open) return;
  const rows = places.map((place) => ({ place, now: known(place, state.turn) })).filter((each) => each.now && !isBare(each.place, unitsIn(each.place, state.turn)))
    .map(({ place, now }) => make("tr", {}, make("td", {}, linkTo(place)), make("td", {}, named(now.record.owner || (isHidden(now.record) ? "unknown" : "nobody"))),
      make("td", {}, now.state === "unexplored" ? "unexplored" : `turn ${now.from}`),
      make("td", {}, unitsIn(place, state.turn).map((each) => each.unit.key).join(" "))));
  const head = make("tr", {}, ...["Place", "Owner", "Seen", "Units"].map((title) => make("th", { scope: "col" }, title)));
  $("table").replaceChildren(make("table", {}, make("caption", {}, `All places known in turn ${state.turn}`), make("thead", {}, head), make("tbody", {}, ...rows)));
}

function showSigns() {
  const swatch = (kind, fill, label) => {
    const body = outline("body");
    body.setAttribute("fill", fill);
    const drawing = shape("svg", { viewBox: "-0.6 -0.6 1.2 1.2", "aria-hidden": "true" }, shape("g", { class: `spot ${kind}` }, body));
    return make("span", {}, drawing, named(label));
  };
  const marks = new Set(places.flatMap((place) => place.seen.flatMap((entry) => entry.record.marks)));
  $("signs").replaceChildren(
    ...data.owners.map((owner, at) => swatch(at ? "seen" : "seen mine", colourOf(owner), at ? owner : `${owner} (you)`)),
    swatch("seen", "#ffffff", "without an owner"), swatch("remembered", "#ffffff", "not in this report"), swatch("unexplored", "#ffffff", "unexplored"),
    ...[...marks].filter((mark) => SIGNS[mark]).map((mark) => make("span", {}, `${SIGNS[mark]} ${mark}`)),
    make("span", {}, "\u25b2 your units"), make("span", {}, "\u25bd other units"));
}
