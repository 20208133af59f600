// Times of the page in the zone and the manner of the reader; without this module they are in UTC.

const manner = new Intl.DateTimeFormat(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });

for (const each of document.querySelectorAll("time[datetime]")) {
  each.title = each.textContent;
  each.textContent = manner.format(new Date(each.dateTime));
}
