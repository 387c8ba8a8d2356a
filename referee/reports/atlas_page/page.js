// The controls of the page.

function showTurn(turn) {
  state.turn = turn;
  board.turn = turn;
  $("turn").value = String(turns.indexOf(turn));
  $("turn").setAttribute("aria-valuetext", `turn ${turn}`);
  $("shown").textContent = String(turn);
  $("earlier").disabled = turn === turns[0];
  $("later").disabled = turn === present;
  if (state.subject) board.chosen = spotOf(state.subject);
  board.draw();
  showSubject();
  showNews();
  showList();
}

function showPanel(panel) {
  board.panel = panel;
  $("panel").value = String(panel);
  board.draw();
  board.whole();
}

function stepTurn(by) {
  const turn = turns[turns.indexOf(state.turn) + by];
  if (turn !== undefined) goToTurn(turn);
}

function goToTurn(turn) {
  showTurn(turn);
  tell(state.subject ? `Turn ${turn}. ${describe(state.subject)}` : `Turn ${turn}`);
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

function onMapKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) board.pan(arrow[0] * board.view.w / 8, arrow[1] * board.view.h / 8);
  else if (arrow) goOn(...arrow);
  else if (event.key === "+" || event.key === "=") board.zoom(0.8);
  else if (event.key === "-") board.zoom(1.25);
  else if (event.key === "0") board.whole();
  else if (event.key === "PageUp") stepTurn(-1);
  else if (event.key === "PageDown") stepTurn(1);
  else if (event.key === "Enter" || event.key === " ") pickCursor();
  else return;
  event.preventDefault();
}

// The arrow keys move a cursor; while an order waits for its target they leave the selection alone.
function goOn(right, down) {
  const from = board.cursor || board.chosen;
  const shown = [...board.drawn.keys()].filter((spot) => spot.kind === "place");
  const next = from && board.drawn.has(from) ? board.beyond(from, right, down) : shown[0] || [...board.drawn.keys()][0];
  if (!next) return;
  board.cursor = next;
  if (state.form) {
    board.chosen = next;
    board.show(next);
    board.mark();
    tell(describe(next));
  } else select(next);
}

function pickCursor() {
  const spot = board.cursor || board.chosen;
  if (!spot) return;
  if (picked(spot)) {
    if (!$("add").disabled) $("add").focus();
  } else select(spot, { focus: true });
}

const touches = new Map();
let moved = 0;

function onDown(event) {
  touches.set(event.pointerId, event);
  if (touches.size === 1) moved = 0;
}

function onMove(event) {
  const before = touches.get(event.pointerId);
  if (!before) return;
  const others = [...touches.values()].filter((each) => each.pointerId !== event.pointerId);
  moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
  if (moved > 6 && !$("map").hasPointerCapture(event.pointerId)) $("map").setPointerCapture(event.pointerId);
  if (others.length) {
    const apartBy = (one) => Math.max(20, Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY));
    board.zoom(apartBy(before) / apartBy(event), board.under(others[0]));
  } else if (moved > 6) {
    const grain = board.grain();
    board.pan((before.clientX - event.clientX) * grain, (before.clientY - event.clientY) * grain);
  }
  touches.set(event.pointerId, event);
}

function onUp(event) {
  const isTap = touches.size === 1 && touches.has(event.pointerId) && moved <= 6 && event.type === "pointerup";
  touches.delete(event.pointerId);
  if (!isTap) return;
  const spot = board.spotOf(event.target);
  if (!spot) return;
  board.cursor = spot;
  if (!picked(spot)) select(spot);
}

function begin() {
  const { heading } = data;
  $("heading").replaceChildren(`${heading.game}: atlas of `, named(heading.seat));
  $("facts").textContent = `${heading.title}, turn ${present}${heading.deadline ? `, orders due ${heading.deadline}` : ""}. `
    + "All that your reports have shown, each place as you last knew it."
    + (data.isCut ? ` Turns before ${turns[0]} are left out, because the file would be too large.` : "");
  $("turn").min = "0";
  $("turn").max = String(turns.length - 1);
  $("panels").hidden = data.panels.length < 2;
  $("panel").append(...data.panels.map(([title], at) => make("option", { value: String(at) }, title || `Part ${at + 1}`)));
  $("find").addEventListener("submit", find);
  $("way").addEventListener("submit", showWay);
  $("near").addEventListener("submit", showNear);
  $("composer").addEventListener("submit", addOrder);
  $("panel").addEventListener("change", (event) => showPanel(Number(event.target.value)));
  $("turn").addEventListener("input", (event) => goToTurn(turns[Number(event.target.value)]));
  $("earlier").addEventListener("click", () => stepTurn(-1));
  $("later").addEventListener("click", () => stepTurn(1));
  $("in").addEventListener("click", () => board.zoom(0.7));
  $("out").addEventListener("click", () => board.zoom(1.4));
  $("whole").addEventListener("click", () => board.whole());
  $("sheet").addEventListener("input", sheetChanged);
  $("copy").addEventListener("click", copySheet);
  $("clear").addEventListener("click", () => { $("sheet").value = ""; sheetChanged(); });
  $("told").addEventListener("toggle", showNews);
  $("list").addEventListener("toggle", showList);
  $("map").addEventListener("keydown", onMapKey);
  $("map").addEventListener("pointerdown", onDown);
  $("map").addEventListener("pointermove", onMove);
  for (const name of ["pointerup", "pointercancel"]) $("map").addEventListener(name, onUp);
  $("map").addEventListener("wheel", (event) => { event.preventDefault(); board.zoom(event.deltaY > 0 ? 1.15 : 0.87, board.under(event)); }, { passive: false });
  document.addEventListener("keydown", (event) => {
    const isTyping = ["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName);
    if (event.key === "/" && !isTyping) { event.preventDefault(); $("search").focus(); }
    if (event.key === "Escape" && state.form) cancelOrder();
  });
  $("sheet").value = kept();
  sheetChanged();
  $("ranges").append(...rangeButtons());
  showSigns();
  showTurn(present);
  const home = places.find((place) => { const now = known(place, present); return now && now.record.owner === me; });
  showPanel(home ? home.panel : 0);
  if (home && board.grain() > 1 / 24) board.show(home);
  showForms();
}

begin();
