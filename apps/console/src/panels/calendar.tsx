import { useState } from 'react'
import type { Row } from '../data/panel.ts'
import { textOf, timeOf } from '../data/values.ts'
import { State } from '../parts/values.tsx'
import type { DrawingProps } from './kinds.ts'

interface Entry {
  readonly row: Row
  readonly time: Date
}

const dayOf = (time: Date) => time.toISOString().slice(0, 10)
const dayMs = 86_400_000
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Days of a month, with those before it that fill its first week. */
function daysOf(month: string): (string | undefined)[] {
  const first = new Date(`${month}-01T00:00:00Z`)
  const before = (first.getUTCDay() + 6) % 7
  const days = Array.from({ length: 31 }, (_, index) => dayOf(new Date(first.getTime() + index * dayMs)))
  return [...Array.from({ length: before }, () => undefined), ...days.filter((day) => day.startsWith(month))]
}

/** Rows by day, in UTC: months with how much each day has, and what the chosen day has. */
export default function Calendar({ reader, actOn }: DrawingProps) {
  const entries = reader.rows('rows').flatMap((row): Entry[] => {
    const time = timeOf(reader.of(row, 'time'))
    return time ? [{ row, time }] : []
  })
  const byDay = Map.groupBy(entries, ({ time }) => dayOf(time))
  const latest = [...byDay.keys()].toSorted().at(-1)
  const [chosen = latest, setChosen] = useState<string>()
  if (!latest) return <p className="muted">There is nothing yet.</p>
  const months = [...new Set([...byDay.keys()].map((day) => day.slice(0, 7)))].toSorted().toReversed()
  return (
    <>
      {months.map((month) => (
        <Month key={month} {...{ month, byDay, chosen, onChoose: setChosen }} />
      ))}
      <h3>{chosen}</h3>
      <ul className="legend">
        {(byDay.get(chosen ?? '') ?? []).map(({ row, time }) => (
          <li key={time.toISOString() + textOf(reader.of(row, 'label'))} className="entry">
            <time dateTime={time.toISOString()}>{time.toISOString().slice(11, 16)}</time>{' '}
            <span>{textOf(reader.of(row, 'label'))}</span>
            {reader.of(row, 'state') !== undefined && <State value={textOf(reader.of(row, 'state'))} />}
            {actOn(row)}
          </li>
        ))}
      </ul>
    </>
  )
}

interface MonthProps {
  readonly month: string
  readonly byDay: ReadonlyMap<string, readonly Entry[]>
  readonly chosen: string | undefined
  readonly onChoose: (day: string) => void
}

function Month({ month, byDay, chosen, onChoose }: MonthProps) {
  return (
    <section className="month" aria-label={month}>
      <h3>{month}</h3>
      <div className="days">
        {weekdays.map((day) => (
          <span key={day} className="muted">
            {day}
          </span>
        ))}
        {daysOf(month).map((day, index) => {
          const count = byDay.get(day ?? '')?.length ?? 0
          if (!day || count === 0)
            return (
              <span key={day ?? index} className="muted">
                {day ? Number(day.slice(8)) : ''}
              </span>
            )
          return (
            <button
              key={day}
              type="button"
              className={day === chosen ? '' : 'plain'}
              aria-pressed={day === chosen}
              aria-label={`${day}: ${count}`}
              onClick={() => onChoose(day)}
            >
              {Number(day.slice(8))}
              {count > 1 && <small> ×{count}</small>}
            </button>
          )
        })}
      </div>
    </section>
  )
}
