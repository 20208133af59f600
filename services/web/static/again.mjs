// A page that could not be made because a service was away is asked for until it can be, and then shown.

const EVERY_MILLISECONDS = 3000;

async function ask() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (answer && answer.status < 500) location.reload();
  else setTimeout(ask, EVERY_MILLISECONDS);
}
setTimeout(ask, EVERY_MILLISECONDS);
