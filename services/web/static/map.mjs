// The map of a game: its size, and tiles that are laid in steps: which one, how it is turned, and that it is meant. What can be
// laid are the forms of the plain list.

const ZOOMS = [0.5, 0.75, 1, 1.5, 2, 3, 4];
const USUAL = ZOOMS.indexOf(1);
const KEYS = { "+": 1, "-": -1, 0: 0 };
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

const cancel = () => made("button", steps.dataset.cancel, endSteps);

function askTile() {
  turned = null;
  drawPreview();
  const tiles = [...new Set(forms.map((each) => each.dataset.tile))];
  if (tiles.length === 1) return askRotation(tiles[0]);
  const offered = tiles.map((tile) => made("button", filled("tile", "tile", tile), () => askRotation(tile)));
  showSteps(made("p", steps.dataset.which), buttons(...offered, cancel()));
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
  const offered = rotationsOf(form).map((each) => {
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
    buttons(...offered),
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
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  zoomBy(KEYS[event.key]);
});
steps.addEventListener("keydown", (event) => {
  if (event.key === "Escape") endSteps();
});
