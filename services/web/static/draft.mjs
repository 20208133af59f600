// The page of a round in a browser that runs modules: players are dragged from seat to seat, and what the tables cost is asked
// for after each change. Without it the numbers of table and seat are typed in, and a button asks for the cost.

const form = document.getElementById("draft");
const cost = document.getElementById("cost");
const said = document.getElementById("said");
const boards = [...form.querySelectorAll("[data-table]")];
let dragged = null;
let asking = null;

const seatsOf = (board) => board.querySelector(".seats");
const field = (player, name) => document.getElementById(`${name}.${player.dataset.player}`);

function renumber() {
  for (const board of boards) {
    [...seatsOf(board).children].forEach((player, index) => {
      field(player, "table").value = board.dataset.table;
      field(player, "seat").value = index + 1;
    });
  }
}

async function price() {
  asking?.abort();
  asking = new AbortController();
  const headers = { "X-Signalbox-Module": "1" };
  const options = { method: "POST", body: new URLSearchParams(new FormData(form)), headers, signal: asking.signal };
  try {
    const answer = await fetch(form.dataset.cost, options);
    cost.innerHTML = await answer.text();
    const sum = cost.querySelector(".sum, .problem p");
    said.textContent = `${said.dataset.move ?? ""} ${sum?.textContent ?? ""}`;
  } catch {
    // A later change asked again, or the server is away: the button still asks.
  }
}

function moved(player) {
  renumber();
  const words = form.dataset.moved
    .replace("{name}", player.querySelector(".name").textContent)
    .replace("{table}", field(player, "table").value)
    .replace("{seat}", field(player, "seat").value);
  said.dataset.move = words;
  price();
}

function swap(first, second) {
  const place = document.createElement("li");
  first.replaceWith(place);
  second.replaceWith(first);
  place.replaceWith(second);
}

function seatByNumbers(player) {
  const board = boards.find((each) => each.dataset.table === field(player, "table").value);
  if (!board) return;
  const wanted = Number(field(player, "seat").value);
  player.remove();
  const seats = seatsOf(board);
  seats.insertBefore(player, seats.children[wanted - 1] ?? null);
}

function targetOf(event) {
  const player = event.target.closest("[data-player]");
  return player && player !== dragged ? player : event.target.closest("[data-table]");
}

function unmark() {
  for (const each of form.querySelectorAll(".over")) each.classList.remove("over");
}

for (const player of form.querySelectorAll("[data-player]")) player.draggable = true;
form.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("[data-player]");
  if (!dragged) return;
  dragged.classList.add("dragged");
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", dragged.dataset.player);
});
form.addEventListener("dragover", (event) => {
  const target = dragged && targetOf(event);
  if (!target) return;
  event.preventDefault();
  unmark();
  target.classList.add("over");
});
form.addEventListener("drop", (event) => {
  const target = dragged && targetOf(event);
  if (!target) return;
  event.preventDefault();
  if (target.dataset.player) swap(dragged, target);
  else seatsOf(target).append(dragged);
  moved(dragged);
});
form.addEventListener("dragend", () => {
  dragged?.classList.remove("dragged");
  dragged = null;
  unmark();
});
form.addEventListener("change", (event) => {
  const player = event.target.closest("[data-player]");
  if (player) {
    seatByNumbers(player);
    event.target.focus();
    moved(player);
  } else if (event.target.closest("[data-table]")) {
    price();
  }
});
