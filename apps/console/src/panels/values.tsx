import type { Reader, Row } from '../data/panel.ts'
import { textOf, timeOf } from '../data/values.ts'
import { Time } from '../parts/values.tsx'

/** Values by name, each with those that it had before. */
export default function Values({ reader }: { readonly reader: Reader }) {
  const rows = reader.rows('rows')
  const nameOf = (row: Row) => [textOf(reader.of(row, 'name')), textOf(reader.of(row, 'variant'))]
  const time = (row: Row) => timeOf(reader.of(row, 'time'))?.getTime() ?? 0
  const groups = Map.groupBy(rows, (row) => JSON.stringify(nameOf(row)))
  if (rows.length === 0) return <p className="muted">There are no values yet.</p>
  return (
    <dl className="values">
      {[...groups].map(([key, all]) => {
        const [latest, ...before] = all.toSorted((a, b) => time(b) - time(a))
        const [name, variant] = latest ? nameOf(latest) : []
        return (
          <div key={key}>
            <dt>
              {name} {variant && <span className="tag">{variant}</span>}
            </dt>
            <dd>
              {latest && <Revision reader={reader} row={latest} />}
              {before.length > 0 && (
                <details>
                  <summary>
                    {before.length} earlier {before.length === 1 ? 'value' : 'values'}
                  </summary>
                  {before.map((row, index) => (
                    <Revision key={index} reader={reader} row={row} />
                  ))}
                </details>
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

function Revision({ reader, row }: { readonly reader: Reader; readonly row: Row }) {
  const value = textOf(reader.of(row, 'value'))
  return (
    <p>
      {value === '' ? <span className="muted">empty</span> : <code>{value}</code>}{' '}
      <span className="muted">
        <Time value={reader.of(row, 'time')} />
      </span>
    </p>
  )
}
