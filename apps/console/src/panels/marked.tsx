import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'
import Ranking from './ranking.tsx'

interface Mark {
  readonly start: number
  readonly end: number
  readonly label: string
}

interface Piece {
  readonly text: string
  readonly labels: readonly string[]
}

/** A text cut where marks begin and end. Marks may overlap. */
function piecesOf(text: string, marks: readonly Mark[]): Piece[] {
  const edges = [...new Set([0, text.length, ...marks.flatMap(({ start, end }) => [start, end])])]
  const sorted = edges.filter((edge) => edge >= 0 && edge <= text.length).toSorted((a, b) => a - b)
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1] ?? text.length
    return {
      text: text.slice(from, to),
      labels: marks.filter(({ start, end }) => start <= from && end >= to).map(({ label }) => label),
    }
  })
}

/** What was understood of a text: marked parts of it, and scores. */
export default function Marked({ reader }: { readonly reader: Reader }) {
  const marks = reader.rows('marks').map((row): Mark => {
    const start = Number(reader.of(row, 'start'))
    return { start, end: start + Number(reader.of(row, 'length')), label: textOf(reader.of(row, 'mark')) }
  })
  const text = textOf(reader.value('text'))
  return (
    <>
      <p className="marked">
        {piecesOf(text, marks).map(({ text: piece, labels }, index) =>
          labels.length > 0 ? (
            <mark key={index}>
              {piece} <small>{labels.join(', ')}</small>
            </mark>
          ) : (
            <span key={index}>{piece}</span>
          ),
        )}
      </p>
      <Ranking reader={reader} />
    </>
  )
}
