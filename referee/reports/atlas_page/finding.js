// The search, and the ways between places.

function matches(text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const ranked = [];
  for (const subject of [...places, ...units, ...grounds]) {
    const key = subject.key.toLowerCase();
    const now = subject.kind === "ground" ? null : subject.kind === "unit" ? unitAt(subject, state.turn) : known(subject, state.turn);
    const told = now ? `${now.record.owner}\n${now.record.text}`.toLowerCase() : "";
    const rank = key === wanted ? 0 : now && now.record.owner.toLowerCase() === wanted ? 2 : key.startsWith(wanted) ? 1 : told.includes(wanted) ? 3 : -1;
    if (rank >= 0 && (now || rank === 0)) ranked.push({ subject, rank });
  }
  const isMine = ({ subject }) => subject.kind === "unit" && subject.seen[0].record.owner === me;
  return ranked.sort((one, other) => one.rank - other.rank || isMine(other) - isMine(one));
}

function find(event) {
  event.preventDefault();
  const found = matches($("search").value);
  const home = $("results");
  home.hidden = false;
  if (!found.length) {
    home.replaceChildren(make("p", {}, `Nothing found in turn ${state.turn} or before.`));
    tell("Nothing found");
    return;
  }
  const exact = found.filter((each) => each.rank === 0);
  if (exact.length || found.length === 1) select(found[0].subject, { focus: true });
  home.hidden = exact.length === 1 || found.length === 1;
  if (home.hidden) return;
  const items = (exact.length ? exact : found).slice(0, 60).map(({ subject }) => make("li", {}, make("button", { type: "button", className: "plain",
    onclick: () => { home.hidden = true; select(subject, { focus: true }); } }, named(describe(subject)))));
  const more = !exact.length && found.length > 60 ? make("p", {}, `and ${found.length - 60} more`) : "";
  home.replaceChildren(make("p", {}, `${exact.length || found.length} found`), make("ul", {}, ...items), more);
  tell(`${exact.length || found.length} found`);
  home.querySelector("button").focus();
}

function placeNamed(text) {
  const wanted = text.trim().toLowerCase();
  const unit = units.find((each) => each.key.toLowerCase() === wanted);
  if (unit) return spotOf(unit);
  return [...places, ...grounds].find((each) => each.key.toLowerCase() === wanted) || null;
}

function showWay(event) {
  event.preventDefault();
  const [from, to] = [placeNamed($("from").value), placeNamed($("to").value)];
  if (!from || !to) {
    $("found").textContent = `There is no place ${!from ? $("from").value || "to begin at" : $("to").value || "to go to"} on the map.`;
    return;
  }
  const parts = [];
  const distance = apart(from, to);
  if (distance !== null) parts.push(make("p", {}, `Distance: ${Number.isInteger(distance) ? distance : distance.toFixed(1)}${isHexes ? (distance === 1 ? " hex" : " hexes") : ""}.`));
  const way = from.kind === "place" && to.kind === "place" && hasLinks(state.turn) ? shortest(from, to, state.turn) : null;
  if (way) {
    parts.push(make("p", {}, `Shortest way: ${way.length} step${way.length === 1 ? "" : "s"}.`),
      make("ul", { className: "tight" }, ...[from, ...way].map((place) => make("li", {}, linkTo(place)))));
  } else if (hasLinks(state.turn)) parts.push(make("p", {}, `You know no way from ${from.key} to ${to.key} by what is linked.`));
  if (!parts.length) parts.push(make("p", {}, `There is no distance between ${from.key} and ${to.key}.`));
  $("found").replaceChildren(...parts);
  if (from.panel !== board.panel) showPanel(from.panel);
  board.way = way ? [from, ...way] : [from, to];
  board.within = new Set();
  board.mark();
}

function showNear(event) {
  event.preventDefault();
  const from = placeNamed($("from").value);
  const most = Number($("reach").value);
  if (!from) {
    $("found").textContent = `There is no place ${$("from").value || "to begin at"} on the map.`;
    return;
  }
  const far = data.grid === "none" ? [...reached(from, state.turn, most).keys()]
    : [...places, ...grounds].filter((spot) => { const distance = apart(from, spot); return distance !== null && distance <= most; });
  const near = far.filter((spot) => spot !== from && (spot.kind === "ground" || known(spot, state.turn)));
  const shown = near.filter((spot) => spot.kind === "place");
  $("found").replaceChildren(make("p", {}, `${shown.length} place${shown.length === 1 ? "" : "s"} within ${most} of ${from.key}.`),
    make("ul", { className: "tight" }, ...shown.map((place) => make("li", {}, linkTo(place)))));
  board.within = new Set(near);
  board.way = [];
  board.mark();
}

// The ranges that the rules know, such as how far from their colonies fleets can go.
function rangeButtons() {
  return data.ranges.map(([title, most, around]) => make("li", {}, make("button", { type: "button", onclick: () => {
    const spots = [...places, ...grounds].filter((spot) => around.some((at) => {
      const distance = apart(places[at], spot);
      return distance !== null && distance <= most;
    }));
    $("found").textContent = `${title}: ${spots.filter((spot) => spot.kind === "place").length} places.`;
    board.within = new Set(spots);
    board.mark();
  } }, title)));
}
