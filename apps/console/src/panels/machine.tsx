import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

interface Transition {
  readonly from: string
  readonly to: string
  readonly when: readonly string[]
}

const rowHeight = 76
const boxHeight = 36
const boxWidth = 150
const width = 420
const middle = width / 2

/** States in the order in which they are reached, so that most transitions lead down. */
function ordered(names: readonly string[], transitions: readonly Transition[], initial: string): string[] {
  const reached = new Set(names.includes(initial) ? [initial] : names.slice(0, 1))
  for (const state of reached) for (const { from, to } of transitions) if (from === state) reached.add(to)
  return [...reached, ...names.filter((name) => !reached.has(name))]
}

/** Transitions between the same states are one arrow. */
function merged(all: readonly Transition[]): Transition[] {
  const byEnds = Map.groupBy(all, ({ from, to }) => JSON.stringify([from, to]))
  return [...byEnds.values()].map((same) => ({
    ...{ from: same[0]?.from ?? '', to: same[0]?.to ?? '' },
    when: same.flatMap(({ when }) => when),
  }))
}

const short = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** An arrow beside the column of states: down on the right, up on the left, the wider the farther. */
function arc(from: number, to: number) {
  const side = to >= from ? 1 : -1
  const distance = Math.abs(to - from)
  const edge = middle + (side * boxWidth) / 2
  const bend = edge + side * Math.min(24 + 26 * distance, middle - boxWidth / 2 - 8)
  const start = from * rowHeight + boxHeight / 2 + (distance === 0 ? -1 : 6 * side)
  const end = to * rowHeight + boxHeight / 2 + (distance === 0 ? 14 : -6 * side)
  return {
    path: `M${edge} ${start}C${bend} ${start} ${bend} ${end} ${edge + side * 5} ${end}`,
    head: `M${edge} ${end}l${side * 8} -4v8z`,
    x: edge + (bend - edge) * (distance === 0 ? 1.1 : 0.75),
    y: (start + end) / 2,
  }
}

function read(reader: Reader) {
  const states = reader.rows('states')
  const transitions = states.flatMap((state) =>
    reader.rowsOf(state, 'transitions').map(
      (row): Transition => ({
        from: textOf(reader.of(state, 'name')),
        to: textOf(reader.of(row, 'to')),
        when: [textOf(reader.of(row, 'when'))].filter(Boolean),
      }),
    ),
  )
  const names = states.map((state) => textOf(reader.of(state, 'name')))
  const initial = textOf(reader.value('initial')) || (names[0] ?? '')
  const live = Map.groupBy(reader.rows('live'), (row) => textOf(reader.of(row, 'state')))
  return { transitions: merged(transitions), states: ordered(names, transitions, initial), initial, live }
}

/** A state machine: its states below each other, transitions as arrows, and how many instances are in each state. */
export default function Machine({ reader }: { readonly reader: Reader }) {
  const { transitions, states, initial, live } = read(reader)
  const height = (states.length - 1) * rowHeight + boxHeight
  return (
    <>
      <svg className="machine" viewBox={`-4 -4 ${width + 8} ${height + 8}`} role="img" aria-label={reader.panel.title}>
        {transitions.map(({ from, to }, index) => {
          const { path, head, x, y } = arc(states.indexOf(from), states.indexOf(to))
          return (
            <g key={`${from} ${to}`} className="arrow">
              <path d={path} />
              <path d={head} className="head" />
              <circle cx={x} cy={y} r="9" />
              <text x={x} y={y + 4} textAnchor="middle">
                {index + 1}
              </text>
            </g>
          )
        })}
        {states.map((state, index) => {
          const count = live.get(state)?.length ?? 0
          return (
            <g key={state} className={count > 0 ? 'node live' : 'node'}>
              <rect x={middle - boxWidth / 2} y={index * rowHeight} width={boxWidth} height={boxHeight} rx="10" />
              <text x={middle} y={index * rowHeight + boxHeight / 2 + 5} textAnchor="middle">
                {state === initial ? '● ' : ''}
                {short(state, 16)}
                {count > 0 ? ` (${count})` : ''}
              </text>
            </g>
          )
        })}
      </svg>
      <ol className="legend">
        {transitions.map(({ from, to, when }) => (
          <li key={`${from} ${to}`}>
            <strong>{from}</strong> → <strong>{to}</strong> {when.length > 0 && <code>{when.join(', ')}</code>}
          </li>
        ))}
      </ol>
      {live.size > 0 && (
        <p className="muted">
          Instances: {[...live].map(([state, instances]) => `${instances.length} in ${state}`).join(', ')}.
        </p>
      )}
    </>
  )
}
