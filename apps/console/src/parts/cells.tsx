import type { ReactNode } from 'react'

/** The key of a row, then a cell for each column. */
export type Row = readonly [key: string, ...cells: readonly ReactNode[]]

interface CellsProps {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
  readonly label?: string
  /** Columns of numbers. */
  readonly numbers?: readonly string[]
}

/** A table of a few rows, without filter or paging. */
export function Cells({ columns, rows, label, numbers = [] }: CellsProps) {
  return (
    <div className="scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([key, ...cells]) => (
            <tr key={key}>
              {columns.map((column, index) => (
                <td key={column} data-label={column} className={numbers.includes(column) ? 'number' : undefined}>
                  {cells[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
