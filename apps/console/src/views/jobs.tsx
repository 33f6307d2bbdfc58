import { useQuery } from '@tanstack/react-query'
import { jobsQuery } from '../data/watch.ts'
import { Cells, type Row } from '../parts/cells.tsx'
import { State, Time } from '../parts/values.tsx'

/** Queued jobs, long-running operations, timers and schedules. */
export function JobsPage() {
  const { data, error } = useQuery(jobsQuery)
  if (error) return <p className="problem">{error.message}</p>
  if (!data) return <p className="muted">…</p>
  return (
    <div className="home">
      <h1>Jobs</h1>
      <Section
        title="Queue"
        about="Jobs that are waiting for a worker or running."
        columns={['Job', 'State', 'Attempt', 'Enqueued']}
      >
        {data.jobs.map(({ id, service, job, state, attempt, enqueuedAt }) => [
          id,
          `${service}: ${job}`,
          <State key="state" value={state} />,
          Math.max(1, attempt),
          <Time key="at" value={enqueuedAt} />,
        ])}
      </Section>
      <Section
        title="Operations"
        about="Long-running operations that are pending or have failed."
        columns={['Operation', 'State', 'Progress', 'Started']}
      >
        {data.operations.map(({ id, service, kind, status, progress, error: message, resource, createdAt }) => [
          id,
          <>
            {service}: {kind} <span className="muted">{resource}</span>
            {message && <p className="wrong">{message}</p>}
          </>,
          <State key="state" value={status} />,
          progress === undefined ? '' : `${Math.round(progress * 100)} %`,
          <Time key="at" value={createdAt} />,
        ])}
      </Section>
      <Section title="Timers" about="Delayed jobs and retries." columns={['Job', 'Attempt', 'Due']}>
        {data.timers.map(({ service, job, attempt, at }, index) => [
          `${index}`,
          `${service}: ${job}`,
          attempt,
          <Time key="at" value={at} />,
        ])}
      </Section>
      <Section
        title="Schedules"
        about="Recurring jobs that the platform runs for all tenants."
        columns={['Job', 'Every', 'Next', 'Last']}
      >
        {data.schedules.map(({ service, job, everyMs, nextAt, lastAt }) => [
          service + job,
          `${service}: ${job}`,
          everyMs < 60_000 ? `${everyMs / 1_000} s` : `${Math.round(everyMs / 60_000)} min`,
          <Time key="next" value={nextAt} />,
          <Time key="last" value={lastAt} />,
        ])}
      </Section>
    </div>
  )
}

interface SectionProps {
  readonly title: string
  readonly about: string
  readonly columns: readonly string[]
  readonly children: readonly Row[]
}

function Section({ title, about, columns, children }: SectionProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children.length === 0 ? (
        <p className="muted">{about} None at the moment.</p>
      ) : (
        <Cells columns={columns} rows={children} />
      )}
    </section>
  )
}
