import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

/** Dots 1 to 8 of a cell: their columns and rows. */
const places = [
  ...[1, 2, 3, 7].map((dot, row) => ({ dot: String(dot), x: 6, y: 6 + 10 * row })),
  ...[4, 5, 6, 8].map((dot, row) => ({ dot: String(dot), x: 16, y: 6 + 10 * row })),
]

/** Braille cells, each written as the numbers of its dots. */
export default function Dots({ reader }: { readonly reader: Reader }) {
  const cells = reader.rows('cells').map(({ value }) => textOf(value))
  const rows = cells.some((cell) => /[78]/.test(cell)) ? 4 : 3
  return (
    <ul className="cells" aria-label={reader.panel.title}>
      {cells.map((cell, index) => (
        <li key={index}>
          <svg viewBox={`0 0 22 ${rows * 10 + 2}`} role="img" aria-label={/\d/.test(cell) ? `dots ${cell}` : 'space'}>
            {places
              .filter(({ y }) => y < rows * 10 + 2)
              .map(({ dot, x, y }) => (
                <circle key={dot} cx={x} cy={y} r="3.5" className={cell.includes(dot) ? 'raised' : ''} />
              ))}
          </svg>
        </li>
      ))}
    </ul>
  )
}
