import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../data/catalogue.ts'
import { useOffered } from '../data/development.ts'
import { ClockPanel } from './clock.tsx'
import { ResetPanel } from './reset.tsx'
import { TimersPanel } from './timers.tsx'

/** The operations of development mode that this node offers and this key permits. */
export function DevelopmentPage() {
  const { data: status, error } = useQuery(statusQuery)
  const { moveClock, listJobs, resetState } = useOffered()
  if (error) return <p className="problem">{error.message}</p>
  return (
    <div className="home">
      <h1>Development</h1>
      {status?.clock === 'system' && <p className="muted">These operations are only available in development mode.</p>}
      {moveClock && <ClockPanel found={moveClock} />}
      {moveClock && listJobs && <TimersPanel />}
      {resetState && <ResetPanel found={resetState} />}
    </div>
  )
}
