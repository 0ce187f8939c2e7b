/** A table of facts: named columns, rows with a key, read as a table by everybody. */
import type { ReactNode } from "react";
import "./table.css";

/** A column without a name has what can be done with its row. */
type Column<Row> = { name: string; number?: boolean; cell: (row: Row) => ReactNode };

export function Table<Row>({ label, columns, rows, rowKey }: { label: string; columns: Column<Row>[]; rows: Row[]; rowKey: (row: Row) => string }) {
  // Numbers are compared down their column; anything else is read a row at a time where there is no room beside each other.
  const stacked = !columns.some((one) => one.number);
  return (
    <div className="table-box" role="region" aria-label={label} tabIndex={0}>
      <table className={stacked ? "table stacked" : "table"} role="table">
        <caption className="visually-hidden">{label}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((one) => (
              <th key={one.name} role="columnheader" scope="col" className={one.number ? "number" : ""}>
                {one.name || <span className="visually-hidden">More</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((one) => (
                <td key={one.name} role="cell" data-name={one.name} className={one.number ? "number" : ""}>
                  {one.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
