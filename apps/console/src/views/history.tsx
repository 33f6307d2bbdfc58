import { useQuery } from '@tanstack/react-query'
import { type HistoryEvent, historyQuery } from '../data/watch.ts'
import { State, Time } from '../parts/values.tsx'

/** What a request caused, in order: jobs with their attempts and errors, and what they sent. */
export function History({ request }: { readonly request: string }) {
  const { data, error } = useQuery(historyQuery(request))
  if (error) return <p className="problem">{error.message}</p>
  if (!data) return <p className="muted">…</p>
  if (!data.recorded) return <p className="muted">This node does not record history: set ICOSA_HISTORY=on.</p>
  const [first] = data.value
  if (!first) return <p className="muted">Nothing was recorded of it.</p>
  return (
    <>
      <ol className="timeline">
        {data.value.map((event) => (
          <li key={event.spanId}>
            <State value={stateOf(event)} /> {event.kind} <strong>{event.name}</strong>
            <p className="muted">
              {event === first ? <Time value={event.at} /> : `${after(first, event)} later`}, {event.ms.toFixed(1)} ms
              {event.attempt !== undefined && event.attempt > 1 && `, attempt ${event.attempt}`}
            </p>
            {event.error && <p className="wrong">{event.error}</p>}
          </li>
        ))}
      </ol>
      {data.truncated && <p className="note">There is more than is shown.</p>}
    </>
  )
}

const stateOf = ({ kind, outcome, failed }: HistoryEvent) =>
  failed ? 'failed' : (outcome ?? (kind === 'delivery' ? 'sent' : 'ok'))

function after(first: HistoryEvent, event: HistoryEvent): string {
  const ms = Date.parse(event.at) - Date.parse(first.at)
  return ms < 1_000
    ? `${Math.round(ms)} ms`
    : ms < 90_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : `${Math.round(ms / 60_000)} min`
}
