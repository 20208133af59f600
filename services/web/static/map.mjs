// The map of a game: its size, and tiles that are laid in steps: which one, how it is turned, and that it is meant. What can be
// laid are the forms of the plain list.

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4];
const USUAL = ZOOMS.indexOf(1);
const KEYS = { "+": 1, "-": -1, 0: 0 };
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
const CHOOSE = ["Enter", " "];
const SVG = "http://www.w3.org/2000/svg";
const picture = document.getElementById("picture");
const panels = document.getElementById("panels");
const steps = document.getElementById("steps");
const zooms = document.getElementById("zoom");
let zoom = USUAL;
// The hex at hand, its forms, and the form of the tile as it is turned now.
let hex = null;
let forms = [];
let turned = null;

function setZoom(index) {
  const next = Math.min(Math.max(index, 0), ZOOMS.length - 1);
  const ratio = ZOOMS[next] / ZOOMS[zoom];
  const [width, height] = [picture.clientWidth / 2, picture.clientHeight / 2];
  const middle = [picture.scrollLeft + width, picture.scrollTop + height];
  zoom = next;
  picture.style.setProperty("--zoom", ZOOMS[zoom]);
  // What was in the middle stays there.
  picture.scrollTo({ left: middle[0] * ratio - width, top: middle[1] * ratio - height, behavior: "instant" });
}

const zoomBy = (step) => setZoom(step ? zoom + step : USUAL);

function made(name, text, press) {
  const found = document.createElement(name);
  found.textContent = text;
  if (press) {
    found.type = "button";
    found.addEventListener("click", press);
  }
  return found;
}

const filled = (words, name, value) => steps.dataset[words].replace(`{${name}}`, value);

function showSteps(...parts) {
  steps.replaceChildren(made("h3", filled("on", "hex", hex)), ...parts);
  steps.hidden = false;
}

function buttons(...all) {
  const row = document.createElement("div");
  row.className = "row";
  row.append(...all);
  return row;
}

const cancel = () => made("button", steps.dataset.cancel, leaveSteps);

function askTile() {
  turned = null;
  drawPreview();
  const tiles = [...new Set(forms.map((each) => each.dataset.tile))];
  if (tiles.length === 1) return askRotation(tiles[0]);
  const kinds = tiles.map((tile) => made("button", filled("tile", "tile", tile), () => askRotation(tile)));
  showSteps(made("p", steps.dataset.which), buttons(...kinds, cancel()));
  steps.querySelector("button").focus();
}

function askRotation(tile) {
  turn(forms.find((each) => each.dataset.tile === tile));
  steps.querySelector("[aria-pressed=true]").focus();
}

const rotationsOf = (form) => forms.filter((each) => each.dataset.tile === form.dataset.tile);

function turn(form) {
  turned = form;
  drawPreview();
  const ways = rotationsOf(form).map((each) => {
    const found = made("button", filled("turned", "rotation", each.dataset.rotation), () => {
      turn(each);
      steps.querySelector("[aria-pressed=true]").focus();
    });
    found.setAttribute("aria-pressed", String(each === form));
    return found;
  });
  const confirm = made("button", steps.dataset.confirm, () => form.requestSubmit());
  confirm.className = "main";
  const said = [form.querySelector("button").textContent, form.dataset.clause].filter(Boolean).join(" - ");
  const rest = new Set(forms.map((each) => each.dataset.tile)).size > 1 ? [made("button", steps.dataset.back, askTile)] : [];
  showSteps(
    made("p", filled("tile", "tile", form.dataset.tile)),
    made("p", steps.dataset.how),
    buttons(...ways),
    made("p", said),
    buttons(confirm, ...rest, cancel()),
  );
}

function drawn(name, attributes) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  return found;
}

function drawPreview() {
  for (const each of picture.querySelectorAll(".preview")) each.remove();
  const ground = turned && document.getElementById(`hex-${hex}`);
  if (!ground) return;
  const numbers = ground.getAttribute("d").match(/-?[0-9.]+/g).map(Number);
  const corners = [0, 1, 2, 3, 4, 5].map((corner) => [numbers[2 * corner], numbers[2 * corner + 1]]);
  const middleOf = (...points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  // Edge k lies between the corners k and k + 1.
  const edge = (number) => middleOf(corners[number], corners[(number + 1) % 6]);
  const middle = middleOf(...corners);
  const layer = ground.parentNode.cloneNode(false);
  layer.setAttribute("class", "preview");
  layer.append(drawn("path", { d: ground.getAttribute("d"), class: "preview-ground" }));
  for (const track of turned.dataset.track.split(" ").filter(Boolean)) {
    const [first, second] = track.split("-").map((each) => edge(Number(each)));
    const end = second ? `Q${middle} ${second}` : `L${middle}`;
    layer.append(drawn("path", { d: `M${first} ${end}`, class: "preview-track" }));
    if (!second) layer.append(drawn("circle", { cx: middle[0], cy: middle[1], r: 12, class: "preview-stop" }));
  }
  ground.parentNode.parentNode.append(layer);
}

// Whether tiles can be laid on a hex, and the steps of that are shown now; the same hex again turns the tile further.
export function beginSteps(wanted) {
  if (wanted === hex && turned?.isConnected) {
    const all = rotationsOf(turned);
    turn(all[(all.indexOf(turned) + 1) % all.length]);
    return true;
  }
  const found = [...panels.querySelectorAll("form[data-tile]")].filter((each) => each.dataset.hex === wanted);
  endSteps();
  if (!found.length) return false;
  [hex, forms] = [wanted, found];
  askTile();
  return true;
}

const offered = () => [...picture.querySelectorAll("path.offered")];

// Hexes with choices are buttons of the map. The tabulator leads to one of them, arrows lead on to the others.
export function offerHexes(hexes) {
  for (const each of offered()) {
    each.classList.remove("offered");
    for (const name of ["role", "tabindex"]) each.removeAttribute(name);
  }
  const found = [...hexes].map((each) => document.getElementById(`hex-${each}`)).filter(Boolean);
  for (const each of found) {
    each.classList.add("offered");
    each.setAttribute("role", "button");
    each.setAttribute("tabindex", "-1");
  }
  found[0]?.setAttribute("tabindex", "0");
  // What is in an image cannot be reached.
  picture.querySelector("svg")?.setAttribute("role", found.length ? "group" : "img");
}

function focusHex(found) {
  for (const each of offered()) each.setAttribute("tabindex", each === found ? "0" : "-1");
  found?.focus();
}

function middleOnScreen(found) {
  const box = found.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The nearest of the hexes with choices in a direction; one that lies aside counts as farther away.
function nextHex(from, [right, down]) {
  const [x, y] = middleOnScreen(from);
  const far = (each) => {
    const [dx, dy] = [middleOnScreen(each)[0] - x, middleOnScreen(each)[1] - y];
    const [along, aside] = [dx * right + dy * down, Math.abs(dx * down) + Math.abs(dy * right)];
    return along > 1 ? along + 2 * aside : Infinity;
  };
  const there = offered().filter((each) => far(each) < Infinity);
  return there.sort((one, other) => far(one) - far(other))[0];
}

function leaveSteps() {
  const left = document.getElementById(`hex-${hex}`);
  endSteps();
  if (left?.classList.contains("offered")) focusHex(left);
}

export function endSteps() {
  [hex, forms, turned] = [null, [], null];
  drawPreview();
  steps.replaceChildren();
  steps.hidden = true;
}

zooms.hidden = false;
zooms.addEventListener("click", (event) => {
  const step = event.target.dataset.zoom;
  if (step !== undefined) zoomBy(Number(step));
});
picture.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isHex = event.target.classList.contains("offered");
  if (event.key in KEYS) {
    event.preventDefault();
    zoomBy(KEYS[event.key]);
  } else if (isHex && event.key in ARROWS) {
    event.preventDefault();
    const next = nextHex(event.target, ARROWS[event.key]);
    if (next) focusHex(next);
  } else if (isHex && CHOOSE.includes(event.key)) {
    event.preventDefault();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
});
steps.addEventListener("keydown", (event) => {
  if (event.key === "Escape") leaveSteps();
});
