// Long tables, and those that ask for it, get a field that filters their rows, and a choice for columns that have few values.
for (const table of document.querySelectorAll(".table")) {
  const rows = [...table.tBodies[0].rows];
  if (table.dataset.search === undefined && (rows.length < 7 || table.querySelector("[rowspan]"))) continue;
  const tools = Object.assign(document.createElement("div"), { className: "table-tools" });
  const field = Object.assign(document.createElement("input"), { type: "search", className: "table-search", placeholder: words.filterRows, ariaLabel: words.filterRows });
  tools.append(field);
  const values = (row, head) => {
    const cell = row.cells[head.cellIndex];
    if (head.dataset.filter === "checkbox") return [cell?.querySelector(":checked") ? words.yes : words.no];
    return [...cell?.querySelectorAll(".badge") ?? []].map((badge) => badge.textContent);
  };
  const choices = [...table.querySelectorAll("th[data-filter]")].map((head) => {
    const title = head.textContent, choice = Object.assign(document.createElement("select"), { ariaLabel: title });
    choice.append(new Option(title, ""), ...[...new Set(rows.flatMap((row) => values(row, head)))].map((value) => new Option(value)));
    tools.append(choice);
    return [head, choice];
  });
  tools.addEventListener("input", () => {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !asked.every((word) => text.includes(word)) || choices.some(([head, { value }]) => value && !values(row, head).includes(value));
    }
  });
  table.parentElement.before(tools);
}
