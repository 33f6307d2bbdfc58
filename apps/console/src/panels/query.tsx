import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

/** The result of a statement: columns with their types, rows of texts or nulls, and the plan. */
export default function Query({ reader }: { readonly reader: Reader }) {
  const columns = reader.rows('columns')
  const value = reader.value('rows')
  const rows: readonly unknown[] = Array.isArray(value) ? value : []
  const plan = textOf(reader.value('plan'))
  const affected = reader.value('affected')
  if (plan)
    return (
      <pre role="region" tabIndex={0} aria-label="Plan">
        {plan}
      </pre>
    )
  return (
    <>
      {columns.length > 0 && (
        <div className="scroll" role="region" tabIndex={0} aria-label="Result">
          <table>
            <thead>
              <tr>
                {columns.map(({ name, type }, index) => (
                  <th key={index} scope="col">
                    {textOf(name)} <span className="muted">{textOf(type)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => (
                <tr key={index}>
                  {(Array.isArray(row) ? row : []).map((cell, column) => (
                    <td key={column} data-label={textOf(columns[column]?.name)}>
                      {cell === null ? <em className="muted">null</em> : <code>{textOf(cell)}</code>}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p className="note" role="status">
        {columns.length > 0 ? `Rows: ${rows.length}` : `Rows affected: ${textOf(affected) || 0}`}
        {reader.value('isTruncated') === true && '. There are more: the result was cut off.'}
      </p>
    </>
  )
}
