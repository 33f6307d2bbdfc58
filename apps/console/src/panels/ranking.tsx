import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

const maxRows = 50

/** Rows as bars, in the order of the reply. */
export default function Ranking({ reader }: { readonly reader: Reader }) {
  const rows = reader.rows('rows').slice(0, maxRows)
  const values = rows.map((row) => Number(reader.of(row, 'value')) || 0)
  const max = Math.max(...values, 0)
  if (rows.length === 0) return <p className="muted">There is nothing yet.</p>
  return (
    <ol className="ranking" aria-label={reader.panel.title}>
      {rows.map((row, index) => (
        <li key={index}>
          <span>{textOf(reader.of(row, 'label'))}</span>
          <span className="bar" style={{ inlineSize: `${max > 0 ? (100 * (values[index] ?? 0)) / max : 0}%` }} />
          <span className="number">{rounded(values[index] ?? 0)}</span>
        </li>
      ))}
    </ol>
  )
}

const rounded = (value: number) => String(Math.round(value * 1000) / 1000)
