import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { type Found, platformNow } from '../data/catalogue.ts'
import { type ClockMove, clockQuery, isMoved, moveClock, platformName, timeOn } from '../data/development.ts'
import { duration } from '../data/values.ts'
import { Snippets } from '../parts/snippets.tsx'

const hourMs = 3_600_000
const steps = [
  ['Advance 1 hour', { byMs: hourMs }],
  ['Advance 1 day', { byMs: 24 * hourMs }],
] as const

/** `2027-01-31T12:00`, in UTC, the format of `datetime-local`. */
const minuteOf = (time: Date) => time.toISOString().slice(0, 16)

/** Shows the platform's clock, with controls to move it. */
export function ClockPanel({ found }: { readonly found: Found }) {
  const queries = useQueryClient()
  const { data: clock } = useQuery(clockQuery)
  const [chosen, setChosen] = useState(() => minuteOf(platformNow()))
  const moving = useMutation({ mutationFn: (body: ClockMove) => moveClock(queries, body) })
  const move = (body: ClockMove) => () => moving.mutate(body)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    moving.mutate({ to: new Date(`${chosen}Z`).toISOString() })
  }
  const isReal = clock !== undefined && !clock.frozen && !isMoved(clock.offsetMs)
  return (
    <section className="panel" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      <Now />
      <div className="buttons">
        {steps.map(([label, body]) => (
          <button key={label} type="button" className="plain" onClick={move(body)}>
            {label}
          </button>
        ))}
        <button type="button" className="plain" onClick={move({ frozen: !clock?.frozen })}>
          {clock?.frozen ? 'Resume' : 'Freeze'}
        </button>
        <button type="button" className="plain" disabled={isReal} onClick={move({ reset: true })}>
          Back to real time
        </button>
      </div>
      <form className="inline" onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor="to">Time (UTC)</label>
          <input
            id="to"
            type="datetime-local"
            required
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
          />
        </div>
        <button type="submit" className="plain">
          Set
        </button>
      </form>
      {moving.error && (
        <p className="problem" role="alert">
          {moving.error.message}
        </p>
      )}
      <details>
        <summary>Show request</summary>
        <Snippets found={found} service={platformName} parts={{ body: moving.variables ?? steps[0][1] }} />
      </details>
    </section>
  )
}

/** The time, updated every second, and its offset from real time. */
function Now() {
  const { data: clock } = useQuery(clockQuery)
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1_000)
    return () => clearInterval(timer)
  }, [])
  if (!clock) return <p className="now muted">…</p>
  const iso = timeOn(clock).toISOString()
  const offsetMs = Date.parse(iso) - Date.now()
  const distance = isMoved(offsetMs) && `${duration(offsetMs)} ${offsetMs > 0 ? 'ahead of' : 'behind'} real time`
  const state = [clock.frozen && 'frozen', distance].filter(Boolean).join(', ')
  return (
    <p className="now">
      <span>
        <time dateTime={iso}>{iso.slice(0, 19).replace('T', ' ')}</time> <span className="muted">UTC</span>
      </span>
      <span role="status" className={state ? 'wrong' : 'muted'}>
        {state || 'real time'}
      </span>
    </p>
  )
}
