// The zone of a time that is typed in, and that of the reader in a new form. Without it the zone is chosen.

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
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const input of document.querySelectorAll("[data-own-zone]")) {
  if ([...input.list.options].some((each) => each.value === zone)) input.value = zone;
}
