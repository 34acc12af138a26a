
"use strict";
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent.trim();
      const order = (a, b) => key(a).localeCompare(key(b), undefined, { numeric: true }) * (up ? 1 : -1);
      table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order));
    });
  });
}
