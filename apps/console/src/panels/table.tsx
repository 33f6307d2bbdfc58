import type { Row } from '../data/panel.ts'
import { at, textOf } from '../data/values.ts'
import { Value } from '../parts/values.tsx'
import type { DrawingProps } from './kinds.ts'

const maxRows = 200

/** Rows of any reply. */
export default function Table({ reader, actOn }: DrawingProps) {
  const rows = reader.rows('rows')
  const columns = reader.panel.columns ?? []
  if (rows.length === 0) return <p className="muted">There is nothing yet.</p>
  return (
    <div className="scroll" role="region" aria-label={reader.panel.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(({ path, label }) => (
              <th key={path} scope="col">
                {label}
              </th>
            ))}
            {reader.panel.act && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map((row: Row, index) => (
            <tr key={index}>
              {columns.map(({ path, label, kind }) => (
                <td key={path} data-label={label}>
                  <Value kind={kind} value={plain(at(row, path))} />
                </td>
              ))}
              {reader.panel.act && <td>{actOn(row)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Lists of texts as one text. */
const plain = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.map(textOf).join(', ') : value
