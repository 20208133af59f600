// Plays a whole game of any title over HTTP and JSON, every seat of it: see ../../http-api.md. Node.js 20 or newer, no packages.
//
//   node bot.mjs http://127.0.0.1:8400 1824 3            three bots play 1824
//   node bot.mjs http://127.0.0.1:8400 1865 2 short_game with an option of the title

import { randomUUID } from "node:crypto";

const [address = "http://127.0.0.1:8400", title = "1824", players = "3", ...options] = process.argv.slice(2);
const LOBBY = `${address}/api/signalbox.lobby.v1.LobbyService`;
const RULES = `${address}/api/signalbox.rules.v1.Rules`;
const TRIES = 8;

// What a bot likes to do, the best first, and how often it does it when it may also pass.
const WISHES = [
  ["declareDividend", 1], ["runTrains", 1], ["answerOffer", 0.5], ["startCompany", 0.9], ["title", 0.8],
  ["buyTrain", 0.7], ["buyCertificate", 0.9], ["bid", 0.3], ["layTile", 0.8], ["placeToken", 0.7],
];

async function ask(url, { token, body } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    let retry = true;
    let problem;
    try {
      const answer = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: {
          ...(token && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      if (answer.ok) return await answer.json();
      problem = await answer.json();
      // The same request, sent again, is carried out once.
      retry = [429, 503, 504].includes(answer.status) || problem.more?.retryable === true;
    } catch (lost) {
      problem = { detail: String(lost), reason: "lost" };
    }
    if (!retry || attempt === TRIES) throw Object.assign(new Error(problem.detail), { problem });
    await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt));
  }
}

function kindOf(choice) {
  const [kind] = Object.keys(choice.command);
  return kind === "titleCommand" ? "title" : kind;
}

function drawn(list) {
  return list[Math.floor(Math.random() * list.length)];
}

function choose(choices) {
  const passing = choices.find((choice) => kindOf(choice) === "passTurn");
  const possible = choices.filter((choice) => choice !== passing);
  for (const [kind, often] of WISHES) {
    const wanted = possible.filter((choice) => kindOf(choice) === kind);
    if (wanted.length && (!passing || Math.random() < often)) {
      // A dividend is paid out where that is possible, trains run as well as they can.
      if (kind === "declareDividend") return wanted.find((each) => each.command.declareDividend.kind === "pay") ?? wanted[0];
      return kind === "runTrains" ? wanted[0] : drawn(wanted);
    }
  }
  return passing ?? drawn(choices);
}

function commandOf(choice) {
  const [body] = Object.values(choice.command);
  // Prices as low as they may be, repayments as high.
  if (choice.openField === "OPEN_FIELD_PRICE") body.price = choice.minimum ?? "0";
  if (choice.openField === "OPEN_FIELD_AMOUNT") body.amount = choice.maximum ?? "0";
  return choice.command;
}

async function seated() {
  const tokens = [];
  const mark = randomUUID().slice(0, 6);
  for (let number = 1; number <= Number(players); number += 1) {
    const account = { name: `Bot ${number} ${mark}`, password: randomUUID() };
    await ask(`${LOBBY}/RegisterPlayer`, { body: { requestId: randomUUID(), ...account } });
    const { session } = await ask(`${LOBBY}/LogIn`, { body: account });
    tokens.push(session.token);
  }
  const table = { requestId: randomUUID(), title, playerCount: Number(players), options };
  const { table: { tableId } } = await ask(`${LOBBY}/CreateTable`, { token: tokens[0], body: table });
  for (const token of tokens.slice(1)) {
    await ask(`${LOBBY}/JoinTable`, { token, body: { requestId: randomUUID(), tableId } });
  }
  const started = await ask(`${LOBBY}/StartTable`, { token: tokens[0], body: { requestId: randomUUID(), tableId } });
  // From here on a token that can play and nothing else is enough.
  const scoped = tokens.map((token) => ask(`${LOBBY}/MakeApiToken`, { token, body: { scopes: ["bot:play"], lifetimeDays: 1 } }));
  return [started.table.gameId, (await Promise.all(scoped)).map((made) => made.token)];
}

async function move(gameId, token) {
  const query = new URLSearchParams({ gameId, withBestRuns: true });
  const { choices = [], sequence } = await ask(`${RULES}/ListChoices?${query}`, { token });
  if (!choices.length) return false;
  const refused = new Set();
  while (refused.size < choices.length) {
    const choice = choose(choices.filter((each) => !refused.has(each)));
    const body = { gameId, requestId: randomUUID(), expectedSequence: sequence, command: commandOf(choice) };
    try {
      await ask(`${RULES}/Execute`, { token, body });
      return true;
    } catch (error) {
      if (error.problem?.reason === "stale_sequence") return true;
      console.error(`refused: ${error.problem?.reason} ${error.problem?.clause ?? ""} ${error.message}`);
      refused.add(choice);
    }
  }
  throw new Error("everything was refused");
}

const [gameId, tokens] = await seated();
console.log(`game ${gameId}`);
let moves = 0;
for (;;) {
  const { game } = await ask(`${RULES}/GetGame?gameId=${gameId}`, { token: tokens[0] });
  if (game.finished) {
    console.log(`over after ${moves} moves: ${game.ending}`);
    for (const { player, value } of game.scores) console.log(`${player} ${value ?? 0}`);
    break;
  }
  for (const token of tokens) while (await move(gameId, token)) moves += 1;
}
