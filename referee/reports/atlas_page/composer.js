// The order that is being composed, and the sheet that it goes onto.

function showForms() {
  const { subject } = state;
  const home = $("forms");
  // A game that has ended takes no orders.
  $("ordering").hidden = !data.heading.orders_to;
  if (!data.forms.length) {
    home.replaceChildren(make("p", {}, "Type your orders below."));
    return;
  }
  const forms = subject ? formsFor(subject) : [];
  if (!forms.length) {
    home.replaceChildren(make("p", { className: "faint" }, subject ? `There is nothing to order for ${subject.key}.`
      : "Select a unit or a place of yours to give it orders."));
    return;
  }
  const buttons = forms.map((form) => make("li", {}, make("button", { type: "button", onclick: () => openComposer(form) }, form.label)));
  home.replaceChildren(make("p", {}, "For ", named(subject.key), ` in turn ${present}:`), make("ul", { className: "tight" }, ...buttons));
}

function openComposer(form) {
  state.form = form;
  state.chosen = { amount: "1", choice: form.choices ? form.choices[0].split(" ")[0] : "", word: "", owner: "", target: null, problem: "" };
  const rows = [make("p", {}, make("strong", {}, `${form.label}: `, named(state.subject.key)))];
  const uses = fieldsOf(form);
  if (uses.includes("choice")) rows.push(choiceField(form));
  if (uses.includes("amount")) rows.push(field("Number", { type: "number", min: "1", value: "1" }, (text) => { state.chosen.amount = text; }));
  if (uses.includes("word")) rows.push(field(form.asks, { type: "text" }, (text) => { state.chosen.word = text.trim(); }));
  if (form.target === "owner") rows.push(ownerField());
  else if (form.target) rows.push(targetField(form));
  rows.push(make("p", {}, make("output", { id: "code" })), make("p", { id: "hint", role: "status" }),
    make("div", { className: "bar" }, make("button", { id: "add" }, "Add to the sheet"),
      make("button", { type: "button", onclick: cancelOrder }, "Cancel")));
  $("composer").replaceChildren(...rows);
  $("composer").hidden = false;
  document.body.classList.add("composing");
  board.within = form.target === "place" ? new Set(inReach(state.subject)) : new Set();
  const first = $("composer").querySelector("input, select") || $("add");
  first.focus({ preventScroll: true });
  preview();
  $("composer").scrollIntoView({ block: "nearest" });
}

function field(label, values, changed) {
  const input = make("input", { ...values, autocomplete: "off", spellcheck: false });
  input.addEventListener("input", () => { changed(input.value); preview(); });
  return make("label", {}, `${label} `, input);
}

function choiceField(form) {
  const options = form.choices.map((choice) => {
    const [value] = choice.split(" ");
    return make("option", { value }, choice);
  });
  return make("label", {}, "Which ", make("select", { onchange: (event) => { state.chosen.choice = event.target.value; preview(); } }, ...options));
}

function ownerField() {
  const others = data.owners.filter((owner) => owner !== me);
  state.chosen.owner = others[0] || "";
  const options = others.map((owner) => make("option", { value: owner }, owner));
  return make("label", {}, "Player ", make("select", { onchange: (event) => { state.chosen.owner = event.target.value; preview(); } }, ...options));
}

function targetField(form) {
  const what = form.target === "unit" ? "Target: a unit" : "Target: a place";
  const label = field(`${what}, typed or picked on the map`, { id: "target", type: "text" }, (text) => {
    state.chosen.target = targetNamed(form, text);
    state.chosen.problem = text && !state.chosen.target ? `There is no ${form.target} ${text} for this order.` : "";
  });
  return label;
}

function preview() {
  const { form, subject, chosen } = state;
  const order = composed(form, subject, chosen);
  $("code").textContent = order.text || "";
  $("hint").textContent = order.error || order.note || "";
  $("add").disabled = !order.text;
  board.way = order.way ? [standsAt(subject), ...order.way] : chosen.target && chosen.target.kind !== "unit" ? [standsAt(subject), chosen.target] : [];
  board.mark();
  return order;
}

function closeComposer() {
  state.form = null;
  $("composer").hidden = true;
  $("composer").replaceChildren();
  document.body.classList.remove("composing");
  board.within = new Set();
}

function cancelOrder() {
  closeComposer();
  board.way = [];
  board.mark();
  $("subject").focus({ preventScroll: true });
}

// A place that is picked while an order waits for its target; true if it is one.
function picked(spot) {
  if (!state.form || !["unit", "place"].includes(state.form.target)) return false;
  const there = state.form.target === "unit" ? unitsIn(spot, present).map((each) => each.unit).filter((unit) => fits(state.form, unit) && unit !== state.subject) : [spot];
  if (there.length > 1) {
    const choose = (unit) => { $("target").value = unit.key; state.chosen.target = unit; $("hint").replaceChildren(); preview(); $("add").focus(); };
    $("hint").replaceChildren("Which one? ", ...there.map((unit) => make("button", { type: "button", onclick: () => choose(unit) }, named(unit.key))));
    $("hint").querySelector("button").focus({ preventScroll: true });
    return true;
  }
  const target = there[0] || null;
  if (!target || !fits(state.form, target)) {
    $("hint").textContent = `There is no ${state.form.target} for this order at ${spot.key}.`;
    tell($("hint").textContent);
    return true;
  }
  $("target").value = target.key;
  Object.assign(state.chosen, { target, problem: "" });
  const order = preview();
  tell(order.text ? `Order: ${order.text}` : order.error);
  return true;
}

function addOrder(event) {
  event.preventDefault();
  const order = preview();
  if (!order.text) return;
  const sheet = $("sheet");
  sheet.value = `${sheet.value.replace(/\s+$/, "")}\n${order.text}\n`.replace(/^\n/, "");
  closeComposer();
  board.way = [];
  board.mark();
  sheetChanged();
  tell(`Added ${order.text}`);
  $("subject").focus({ preventScroll: true });
}

const KEPT = `referee ${data.heading.game} ${data.heading.turn} ${data.heading.seat}`;

// The sheet survives a reload where the browser allows that; nothing else depends on it.
function kept(text) {
  try {
    if (text === undefined) return sessionStorage.getItem(KEPT) || "";
    sessionStorage.setItem(KEPT, text);
  } catch {
    // A file that was opened from a mail program can have no storage.
  }
  return "";
}

function sheetChanged() {
  const text = $("sheet").value.trim();
  const body = encodeURIComponent(text.replace(/\n/g, "\r\n"));
  const to = encodeURIComponent(data.heading.orders_to).replace("%40", "@");
  $("mail").href = `mailto:${to}?subject=${encodeURIComponent(data.heading.subject)}&body=${body}`;
  $("sheet-note").textContent = body.length > 1800 ? "The sheet is long: some mail programs cut it. Copy it instead." : "";
  kept($("sheet").value);
}

async function copySheet() {
  const sheet = $("sheet");
  try {
    await navigator.clipboard.writeText(sheet.value);
  } catch {
    sheet.select();
    document.execCommand("copy");
  }
  $("sheet-note").textContent = "Copied. Paste it into a reply to the report.";
}
