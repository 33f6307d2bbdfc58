import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clockQuery, moveClock, timeOn } from '../data/development.ts'
import { type HistoryEvent, historyQuery, type Jobs, jobsQuery, type Timer } from '../data/watch.ts'
import { State, Time } from '../parts/values.tsx'
import { Timeline } from './history.tsx'

const maxShown = 5
const keyOf = ({ service, job, at, traceId }: Timer) => [service, job, at, traceId].join(' ')

/** Pending timers, and the jobs that fired when the clock was last advanced from here. */
export function TimersPanel() {
  const queries = useQueryClient()
  const { data } = useQuery(jobsQuery)
  const { data: clock } = useQuery(clockQuery)
  const timers = data?.timers ?? []
  const next = clock && timers.find(({ at }) => new Date(at) > timeOn(clock))
  const running = useMutation({
    mutationFn: ({ at }: Fired) => moveClock(queries, { to: at }),
  })
  const run = ({ at }: Timer) => running.mutate({ at, timers: timers.filter((timer) => timer.at <= at) })
  return (
    <section className="panel" aria-labelledby="timers">
      <h2 id="timers">Timers</h2>
      {data && timers.length === 0 && (
        <p className="muted">No timers are pending. Retries and delayed jobs appear here.</p>
      )}
      {timers.length > 0 && (
        <ul className="operations">
          {timers.slice(0, maxShown).map((timer) => (
            <li key={keyOf(timer)}>
              <span>
                {timer.service}: <strong>{timer.job}</strong>
                {timer.attempt > 1 && <span className="muted">, attempt {timer.attempt}</span>}
              </span>
              <Time value={timer.at} />
            </li>
          ))}
        </ul>
      )}
      {timers.length > maxShown && (
        <p className="links">
          <Link to="/-/jobs">All timers</Link>
        </p>
      )}
      {next && (
        <div className="buttons">
          <button type="button" disabled={running.isPending} onClick={() => run(next)}>
            Advance to the next timer
          </button>
        </div>
      )}
      {running.error && (
        <p className="problem" role="alert">
          {running.error.message}
        </p>
      )}
      {running.isSuccess && data && <FiredJobs fired={running.variables} jobs={data} />}
    </section>
  )
}

interface Fired {
  /** The time to which the clock was moved. */
  readonly at: string
  readonly timers: readonly Timer[]
}

function FiredJobs({ fired: { at, timers }, jobs }: { readonly fired: Fired; readonly jobs: Jobs }) {
  // Jobs of one trace have one history.
  const traced = timers.filter(
    ({ traceId }, index) => !traceId || timers.findIndex((other) => other.traceId === traceId) === index,
  )
  return (
    <div className="fired" aria-live="polite">
      <h3>Fired at {at.slice(0, 19).replace('T', ' ')} UTC</h3>
      {traced.slice(0, maxShown).map((timer) => (
        <FiredJob key={keyOf(timer)} {...{ timer, at, jobs }} />
      ))}
      {traced.length > maxShown && <p className="muted">and {traced.length - maxShown} more</p>}
    </div>
  )
}

interface FiredJobProps {
  readonly timer: Timer
  readonly at: string
  readonly jobs: Jobs
}

/** Start times in the history are computed from end times, and slightly early while the clock is frozen. */
const clockNoiseMs = 10
const endOf = ({ at, ms }: HistoryEvent) => Date.parse(at) + ms

/** A fired job, with its trace since. */
function FiredJob({ timer, at, jobs }: FiredJobProps) {
  const { service, job, traceId } = timer
  const { data: history } = useQuery({ ...historyQuery({ trace: traceId ?? '' }), enabled: traceId !== undefined })
  const events = history?.value.filter((event) => endOf(event) >= Date.parse(at) - clockNoiseMs) ?? []
  if (events.length > 0) return <Timeline events={events} />
  const isDue = jobs.timers.some((other) => keyOf(other) === keyOf(timer))
  const queued = jobs.jobs.find((other) => other.service === service && other.job === job && other.traceId === traceId)
  return (
    <p>
      <State value={isDue ? 'waiting' : (queued?.state ?? 'ended')} /> job <strong>{job}</strong>{' '}
      <span className="muted">{service}</span>
    </p>
  )
}
