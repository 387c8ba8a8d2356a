// The map as SVG. One hex, or the least distance of two places, is one unit.

const SVG = "http://www.w3.org/2000/svg";
const SIGNS = { home: "\u2302", production: "\u2699", people: "\u263a", fortress: "\u25a3", siege: "\u2694", storm: "\u2248",
  nebula: "\u223c", portal: "\u25ce", "black hole": "\u25cf", trader: "$", pirates: "\u2620", mercenaries: "+" };

function shape(name, values, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function words(text, x, y, size, kind) {
  return shape("text", { x, y, "font-size": size, class: kind || "" }, text);
}

// Places of maps without hexes can lie closer or wider apart than one unit.
function scaled() {
  if (isHexes || data.grid === "none") return 1;
  let least = Infinity;
  for (const one of places) {
    for (const other of places) {
      if (one !== other && one.panel === other.panel) least = Math.min(least, Math.hypot(one.x - other.x, one.y - other.y));
    }
  }
  return Number.isFinite(least) && least > 0 ? 1.3 / least : 1;
}

const SCALE = scaled();
const middle = (spot) => ({ x: spot.x * SCALE, y: spot.y * SCALE });

function corners(radius) {
  const turn = data.grid === "flat hexes" ? 0 : 30;
  return [0, 60, 120, 180, 240, 300].map((angle) => {
    const at = ((angle + turn) * Math.PI) / 180;
    return `${(Math.cos(at) * radius).toFixed(3)},${(Math.sin(at) * radius).toFixed(3)}`;
  }).join(" ");
}

const HEX = isHexes ? corners(1 / Math.sqrt(3)) : "";
const INNER = isHexes ? corners(0.52) : "";
const sectors = new Set(grounds.map((ground) => ground.key));

const linked = new Set(data.links.flatMap(([one, other]) => [places[one], places[other]]));

// Whether a place is only a hex in which nothing is, and to which nothing leads.
function isBare(place, there) {
  return sectors.has(place.key) && !there.length && !linked.has(place);
}

function outline(kind) {
  return isHexes ? shape("polygon", { points: INNER, class: kind }) : shape("circle", { r: 0.46, class: kind });
}

function colourOf(owner) {
  const number = data.owners.indexOf(owner);
  return number < 0 ? "#ffffff" : data.colours[number];
}

function short(text, most) {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}\u2026`;
}

function sizeOf(text) {
  const length = [...text].length;
  return length <= 3 ? 0.34 : Math.max(0.13, Math.min(0.28, 1.4 / length)).toFixed(3);
}

// The units at a place: own ones with a triangle upwards, others downwards, with their number.
function counts(there) {
  const mine = there.filter((each) => each.record.owner === me).length;
  const others = there.length - mine;
  return [mine ? `\u25b2${mine}` : "", others ? `\u25bd${others}` : ""].filter(Boolean).join(" ");
}

// The middles of all hexes of a panel that is drawn whole.
function blanks(panel) {
  const area = data.panels[panel][3];
  const found = [];
  if (!isHexes || !area) return found;
  const isFlat = data.grid === "flat hexes";
  const [left, top, right, bottom] = isFlat ? [area[1], area[0], area[3], area[2]] : area;
  for (let row = Math.round(top / ROW); row * ROW <= bottom + 0.01; row += 1) {
    const shift = Math.abs(row % 2) / 2;
    for (let along = Math.ceil(left - shift - 0.01) + shift; along <= right + 0.01; along += 1) {
      found.push(isFlat ? { x: row * ROW, y: along } : { x: along, y: row * ROW });
    }
  }
  return found;
}

class Board {
  constructor(home, turnNow) {
    this.home = home;
    this.svg = shape("svg", { "aria-hidden": "true", focusable: "false" });
    this.layers = { ground: shape("g", {}), links: shape("g", {}), route: shape("g", {}), spots: shape("g", {}) };
    this.svg.append(...Object.values(this.layers));
    home.append(this.svg);
    this.panel = 0;
    this.turn = turnNow;
    this.drawn = new Map();
    this.way = [];
    this.within = new Set();
    this.chosen = null;
  }

  draw() {
    const { ground, links, spots } = this.layers;
    for (const layer of [ground, links, spots]) layer.replaceChildren();
    this.drawn.clear();
    for (const at of blanks(this.panel)) ground.append(shape("polygon", { points: HEX, class: "hex blank", transform: `translate(${at.x} ${at.y})` }));
    for (const hex of grounds) if (hex.panel === this.panel) ground.append(this.hex(hex));
    for (const place of places) if (place.panel === this.panel) this.place(place);
    for (const [one, other, since, kind] of data.links) {
      if (since <= this.turn && this.drawn.has(places[one]) && this.drawn.has(places[other])) links.append(this.link(one, other, kind));
    }
    this.mark();
  }

  hex(ground) {
    const { x, y } = middle(ground);
    const drawn = shape("polygon", { points: HEX, class: `hex${ground.sighting ? " old" : ""}`, transform: `translate(${x} ${y})` });
    drawn.spot = ground;
    this.drawn.set(ground, drawn);
    return drawn;
  }

  link(one, other, kind) {
    const [from, to] = [middle(places[one]), middle(places[other])];
    return shape("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, class: kind === "jump" ? "link jump" : "link" });
  }

  place(place) {
    const now = known(place, this.turn);
    const there = now ? unitsIn(place, this.turn) : [];
    if (!now || isBare(place, there)) return;
    const { x, y } = middle(place);
    const { record, state } = now;
    const mine = record.owner && record.owner === me ? " mine" : "";
    const group = shape("g", { class: `spot ${state}${mine}`, transform: `translate(${x} ${y})` });
    const body = outline("body");
    body.setAttribute("fill", state === "unexplored" ? "#ffffff" : colourOf(record.owner));
    const signs = record.marks.map((mark) => SIGNS[mark] || "").join("");
    const owner = record.owner && record.owner !== me ? short(record.owner, 8) : "";
    const above = [counts(there), signs].filter(Boolean).join(" ");
    group.append(outline("halo"), body, words(place.key, 0, 0, sizeOf(place.key), "key"));
    if (above) group.append(words(above, 0, -0.27, above.length > 6 ? 0.15 : 0.19));
    if (owner) group.append(words(owner, 0, 0.27, 0.16));
    group.append(shape("title", {}, `${place.key} ${record.owner}`));
    group.spot = place;
    this.drawn.set(place, group);
    this.layers.spots.append(group);
  }

  // Mark what is chosen, in range and on the way.
  mark() {
    for (const [spot, drawn] of this.drawn) {
      drawn.classList.toggle("chosen", spot === this.chosen);
      drawn.classList.toggle("within", this.within.has(spot));
    }
    this.layers.route.replaceChildren();
    const way = this.way.filter((spot) => spot.panel === this.panel).map(middle);
    if (way.length > 1) {
      this.layers.route.append(shape("polyline", { class: "route", points: way.map(({ x, y }) => `${x},${y}`).join(" ") }));
    }
  }

  spotOf(element) {
    for (let node = element; node && node !== this.svg; node = node.parentNode) if (node.spot) return node.spot;
    return null;
  }

  // The rectangle with all that is drawn.
  extent() {
    const at = [...this.drawn.keys()].map(middle);
    const [left, right] = [Math.min(...at.map((p) => p.x)), Math.max(...at.map((p) => p.x))];
    const [top, bottom] = [Math.min(...at.map((p) => p.y)), Math.max(...at.map((p) => p.y))];
    return at.length ? { x: left - 1, y: top - 1, w: right - left + 2, h: bottom - top + 2 } : { x: 0, y: 0, w: 10, h: 10 };
  }

  look(view) {
    this.view = view;
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
    this.svg.classList.toggle("far", this.grain() > 1 / 30);
  }

  whole() {
    this.look(this.extent());
  }

  // The units of the map in one pixel.
  grain() {
    const box = this.home.getBoundingClientRect();
    return Math.max(this.view.w / box.width, this.view.h / box.height);
  }

  zoom(factor, around) {
    const { x, y, w, h } = this.view;
    const all = this.extent();
    const wide = Math.min(Math.max(w * factor, 3), Math.max(all.w, all.h) * 2);
    const by = wide / w;
    const at = around || { x: x + w / 2, y: y + h / 2 };
    this.look({ x: at.x - (at.x - x) * by, y: at.y - (at.y - y) * by, w: wide, h: h * by });
  }

  pan(right, down) {
    this.look({ ...this.view, x: this.view.x + right, y: this.view.y + down });
  }

  // The point of the map below a point of the screen.
  under(event) {
    const matrix = this.svg.getScreenCTM().inverse();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x: point.x, y: point.y };
  }

  // Show a spot, closer if the map is so small that nobody can read it.
  show(spot) {
    const { x, y } = middle(spot);
    let { w, h } = this.view;
    if (this.grain() > 1 / 28) {
      const by = 1 / 40 / this.grain();
      [w, h] = [w * by, h * by];
    }
    const isInside = x > this.view.x + w * 0.1 && x < this.view.x + w * 0.9 && y > this.view.y + h * 0.1 && y < this.view.y + h * 0.9;
    if (w !== this.view.w || !isInside) this.look({ x: x - w / 2, y: y - h / 2, w, h });
  }

  // The next place in a direction, nearer ones first, and those straight ahead.
  beyond(spot, right, down) {
    const from = middle(spot);
    let best = null;
    let least = Infinity;
    for (const other of this.drawn.keys()) {
      if (other === spot || (other.kind === "ground" && places.length && spot.kind !== "ground")) continue;
      const at = middle(other);
      const ahead = (at.x - from.x) * right + (at.y - from.y) * down;
      const aside = Math.abs((at.x - from.x) * down) + Math.abs((at.y - from.y) * right);
      if (ahead > 0.05 && aside <= ahead * 1.5 && ahead + 2 * aside < least) [best, least] = [other, ahead + 2 * aside];
    }
    return best;
  }
}
