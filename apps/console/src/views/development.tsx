import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../data/catalogue.ts'
import { useOffered } from '../data/development.ts'
import { ClockPanel } from './clock.tsx'
import { ResetPanel } from './reset.tsx'
import { TimersPanel } from './timers.tsx'

/** Operations of development mode, as far as this node and key offer them. */
export function DevelopmentPage() {
  const { data: status, error } = useQuery(statusQuery)
  const { moveClock, listJobs, resetState } = useOffered()
  if (error) return <p className="problem">{error.message}</p>
  return (
    <div className="home">
      <h1>Development</h1>
      {status?.clock === 'system' && <p className="muted">Only nodes in development mode have these operations.</p>}
      {moveClock && <ClockPanel found={moveClock} />}
      {moveClock && listJobs && <TimersPanel />}
      {resetState && <ResetPanel found={resetState} />}
    </div>
  )
}
