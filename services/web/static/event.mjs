// The zone of a time that is typed in. Without it the zone is chosen.

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
