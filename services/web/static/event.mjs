// Times in the reader's zone, and the zone of a time that is typed in. Without it times are in UTC, and the zone is chosen.

const written = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
for (const each of document.querySelectorAll("time[datetime]")) {
  each.title = each.textContent;
  each.textContent = written.format(new Date(each.dateTime));
}

function chooseZone(input) {
  const select = document.getElementById(`${input.id}.offset`);
  const date = input.value ? new Date(input.value) : new Date();
  const offset = String(-date.getTimezoneOffset());
  if ([...select.options].some((each) => each.value === offset)) select.value = offset;
}
for (const input of document.querySelectorAll("input[type=datetime-local]")) {
  const select = document.getElementById(`${input.id}.offset`);
  if (!select || select.dataset.chosen) continue;
  chooseZone(input);
  input.addEventListener("change", () => chooseZone(input));
}
