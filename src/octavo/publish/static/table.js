// Tables that ask for it get a field that filters their rows.
for (const table of document.querySelectorAll(".table[data-search]")) {
  const field = Object.assign(document.createElement("input"), { type: "search", className: "table-search", placeholder: words.filterRows, ariaLabel: words.filterRows });
  field.addEventListener("input", () => {
    const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !asked.every((word) => text.includes(word));
    }
  });
  table.parentElement.before(field);
}
