// Times of the page in the zone and the manner of the reader, and what is left until a time, counted down by the clock of the
// server. Without this module times are in UTC, and what is left is as it was when the page was written.

const language = document.documentElement.lang || undefined;
const manner = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
const spoken = Object.fromEntries(
  UNITS.map(([unit]) => [unit, new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" })]),
);
// By how much the clock of this machine is ahead.
let ahead = 0;

// It is now so late at the server, in milliseconds since 1970 UTC.
export function setNow(milliseconds) {
  ahead = Date.now() - Number(milliseconds);
}

function left(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const first = Math.min(Math.max(0, UNITS.findIndex(([, size]) => seconds >= size)), UNITS.length - 2);
  const [[large, size], [small, part]] = seconds < 60 ? UNITS.slice(2) : UNITS.slice(first, first + 2);
  return `${spoken[large].format(Math.floor(seconds / size))} ${spoken[small].format(Math.floor((seconds % size) / part))}`;
}

function writeLeft() {
  const now = Date.now() - ahead;
  for (const each of document.querySelectorAll("[data-ends]")) each.textContent = left(Number(each.dataset.ends) - now);
}

// Write the times in a part of the page that is new.
export function writeTimes(part) {
  for (const each of part.querySelectorAll("time[datetime]")) {
    each.title = each.textContent;
    each.textContent = manner.format(new Date(each.dateTime));
  }
  for (const each of part.querySelectorAll("[data-left]")) each.textContent = left(Number(each.dataset.left));
  writeLeft();
}

const stamped = document.querySelector("[data-now]");
if (stamped) setNow(stamped.dataset.now);
writeTimes(document);
setInterval(writeLeft, 1000);
