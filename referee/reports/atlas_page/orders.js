// Orders composed from the forms of the game.

// The units and places of the present turn that one can give orders to.
function formsFor(subject) {
  if (subject.kind === "ground") return [];
  const record = subject.kind === "unit" ? unitAt(subject, present) : known(subject, present);
  if (!record || record.isGone) return [];
  return data.forms.filter((form) => {
    const kind = subject.kind === "unit" ? record.record.unit : undefined;
    const isMine = record.record.owner === me;
    if (form.target === "owner" && data.owners.length < 2) return false;
    return form.unit === kind && (isMine || !form.own) && subject.key.startsWith(form.prefix || "");
  });
}

function fieldsOf(form) {
  return [...form.pattern.matchAll(/\{([a-z_]+)\}/g)].map((found) => found[1]);
}

function digits(key) {
  const found = key.match(/[0-9]+/);
  return found ? found[0] : key;
}

function fits(form, target) {
  const isKind = form.target === "unit" ? target.kind === "unit" : target.kind !== "unit";
  return isKind && (!form.aims || form.aims.some((aim) => target.key.startsWith(aim)));
}

// The spot that a name stands for, by what a form is aimed at; null if there is none.
function targetNamed(form, name) {
  const wanted = name.trim().toLowerCase();
  const here = units.filter((unit) => !(unitAt(unit, present) || { isGone: true }).isGone);
  const isMine = (unit) => unitAt(unit, present).record.owner === me;
  const among = form.target === "unit" ? [...here.filter(isMine), ...here] : [...places, ...grounds];
  return among.find((each) => each.key.toLowerCase() === wanted && fits(form, each)) || null;
}

function standsAt(subject) {
  return subject.kind === "unit" ? places[unitAt(subject, present).record.place] : subject;
}

function reachOf(subject) {
  return subject.kind === "unit" ? unitAt(subject, present).record.reach : 0;
}

// What a unit can reach in a turn: by links where the rules know no coordinates, else by distance.
function inReach(subject) {
  const [from, most] = [standsAt(subject), reachOf(subject)];
  if (!most) return [];
  const near = data.grid === "none" ? [...reached(from, present, most).keys()]
    : [...places, ...grounds].filter((spot) => { const distance = apart(from, spot); return distance !== null && distance <= most; });
  return near.filter((spot) => spot !== from);
}

function pathTo(subject, target) {
  if (target.kind !== "place") return { error: `${target.key} is not a place with ways to it.` };
  const way = shortest(standsAt(subject), target, present, stepsFrom);
  if (way === null) return { error: `You know no way to ${target.key}.` };
  if (!way.length) return { error: `${subject.key} is already there.` };
  const reach = reachOf(subject) || way.length;
  const note = way.length <= reach ? "" : `${target.key} is ${way.length} steps away. The order goes as far as one `
    + `turn allows: to ${way[reach - 1].key}.`;
  return { text: way.slice(0, reach).map((place) => place.key).join(""), way: way.slice(0, reach), note };
}

function straightTo(form, subject, target) {
  if (apart(standsAt(subject), target) === null) return { error: `There is no straight way to ${target.key}.` };
  const steps = stepsTo(standsAt(subject), target);
  if (!steps.length) return { error: `${subject.key} is already there.` };
  const reach = reachOf(subject) || steps.length;
  const note = steps.length <= reach ? "" : `${target.key} is ${steps.length} steps away. The order goes as far as one `
    + "turn allows.";
  const text = steps.slice(0, reach).map((step) => form.step.replace("{direction}", step.direction)
    .replace("{level}", step.level)).join("");
  return { text, note };
}

// The order as one types it: `text`, or an `error`; with a `note`, and the `way` to show.
function composed(form, subject, chosen) {
  const values = { key: subject.key, number: digits(subject.key), at: standsAt(subject).key,
    at_number: digits(standsAt(subject).key), amount: chosen.amount, choice: chosen.choice, word: chosen.word,
    owner: chosen.owner };
  let way = { note: "" };
  if (chosen.target) {
    values.target = chosen.target.key;
    values.target_number = digits(chosen.target.key);
    if (fieldsOf(form).includes("path")) way = pathTo(subject, chosen.target);
    if (fieldsOf(form).includes("steps")) way = straightTo(form, subject, chosen.target);
    if (way.error) return way;
    values.path = way.text;
    values.steps = way.text;
  }
  const missing = fieldsOf(form).find((name) => !values[name]);
  if (missing) return { error: chosen.problem || "Fill in what is missing." };
  return { text: form.pattern.replace(/\{([a-z_]+)\}/g, (_, name) => values[name]), note: way.note, way: way.way };
}
