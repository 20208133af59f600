// What others do at a table, looked up while the page is seen. Without this module the page is loaded again.

const EVERY_MILLISECONDS = 5000;
const parts = [...document.querySelectorAll("[data-followed]")];
const { path } = document.getElementById("hosting").dataset;
// What somebody fills in stays.
const isTouched = new Set();

async function look() {
  const mayChange = (part) => !isTouched.has(part) && !part.contains(document.activeElement);
  if (document.hidden || !parts.some(mayChange)) return;
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts.filter(mayChange)) {
    const found = fresh.getElementById(part.id);
    if (!found || found.dataset.followed === part.dataset.followed) continue;
    part.dataset.followed = found.dataset.followed;
    part.replaceChildren(...[...found.childNodes].map((each) => document.adoptNode(each)));
  }
}

for (const part of parts) part.addEventListener("input", () => isTouched.add(part));
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY_MILLISECONDS);
