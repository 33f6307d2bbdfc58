import { useQuery } from '@tanstack/react-query'
import { duration } from '../data/values.ts'
import { type Cause, type HistoryEvent, historyQuery } from '../data/watch.ts'
import { State, Time } from '../parts/values.tsx'

/** What a request, or all that changed a resource, led to, in order: jobs with their attempts and errors, and deliveries. */
export function History({ cause }: { readonly cause: Cause }) {
  const { data, error } = useQuery(historyQuery(cause))
  if (error) return <p className="problem">{error.message}</p>
  if (!data) return <p className="muted">…</p>
  if (!data.recorded) return <p className="muted">This node does not record history: set ICOSA_HISTORY=on.</p>
  if (data.value.length === 0)
    return (
      <p className="muted">
        {'path' in cause
          ? 'No change is recorded: those of the last three days are, by their path.'
          : 'Nothing was recorded for this request.'}
      </p>
    )
  return (
    <>
      <Timeline events={data.value} />
      {data.truncated && <p className="note">Some events are not shown.</p>}
    </>
  )
}

const clockMove = 'platform:moveClock'

/** Events in order, with the time since the first. */
export function Timeline({ events }: { readonly events: readonly HistoryEvent[] }) {
  const [first] = events
  if (!first) return null
  return (
    <ol className="timeline">
      {events.map((event) => (
        <li key={event.spanId} className={event.name === clockMove ? 'jump' : undefined}>
          <State value={stateOf(event)} /> {event.kind} <strong>{event.name}</strong>
          <p className="muted">
            {event === first ? <Time value={event.at} /> : `${after(first, event)} later`}, {event.ms.toFixed(1)} ms
            {event.attempt !== undefined && event.attempt > 1 && `, attempt ${event.attempt}`}
          </p>
          {event.name === clockMove && (
            <p className="muted">The clock was moved: times after it are those of the moved clock.</p>
          )}
          {event.error && <p className="wrong">{event.error}</p>}
        </li>
      ))}
    </ol>
  )
}

const stateOf = ({ kind, outcome, failed }: HistoryEvent) =>
  failed ? 'failed' : (outcome ?? (kind === 'delivery' ? 'sent' : 'ok'))

function after(first: HistoryEvent, event: HistoryEvent): string {
  const ms = Date.parse(event.at) - Date.parse(first.at)
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 90_000 ? `${(ms / 1_000).toFixed(1)} s` : duration(ms)
}
