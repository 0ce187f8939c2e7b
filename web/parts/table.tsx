/** A table of facts: named columns, rows with a key, read as a table by everybody. */
import type { ReactNode } from "react";
import "./table.css";

/** A column without a name has what can be done with its row. */
type Column<Row> = { name: string; number?: boolean; cell: (row: Row) => ReactNode };

export function Table<Row>({ label, columns, rows, rowKey }: { label: string; columns: Column<Row>[]; rows: Row[]; rowKey: (row: Row) => string }) {
  return (
    <div className="table-box" role="region" aria-label={label} tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map((one) => (
              <th key={one.name} scope="col" className={one.number ? "number" : ""}>
                {one.name || <span className="visually-hidden">More</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((one) => (
                <td key={one.name} className={one.number ? "number" : ""}>
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
