// Who has come to an open table, looked up while the page is seen. Without this module the page is loaded again.

const EVERY_MILLISECONDS = 5000;

async function look() {
  const shown = document.getElementById("gathering");
  if (document.hidden || !shown) return;
  const answer = await fetch(location.pathname, { credentials: "same-origin" }).catch(() => null);
  if (!answer?.ok) return;
  const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("gathering");
  if (!found || found.dataset.version === shown.dataset.version) return;
  shown.replaceWith(document.adoptNode(found));
}
setInterval(look, EVERY_MILLISECONDS);
