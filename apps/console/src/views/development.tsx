import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../data/catalogue.ts'
import { useOffered } from '../data/development.ts'
import { ClockPanel } from './clock.tsx'
import { FaultsPanel } from './faults.tsx'
import { ResetPanel } from './reset.tsx'
import { SnapshotsPanel } from './snapshots.tsx'
import { TimersPanel } from './timers.tsx'

/** The operations of development mode that this node offers and this key permits. */
export function DevelopmentPage() {
  const { data: status, error } = useQuery(statusQuery)
  const offered = useOffered()
  const { moveClock, listJobs, listFaults, listSnapshots, resetState } = offered
  if (error) return <p className="problem">{error.message}</p>
  return (
    <div className="home">
      <h1>Development</h1>
      {status?.clock === 'system' && <p className="muted">These operations are only available in development mode.</p>}
      {moveClock && <ClockPanel found={moveClock} />}
      {moveClock && listJobs && <TimersPanel />}
      {listFaults && <FaultsPanel {...offered} />}
      {listSnapshots && <SnapshotsPanel {...offered} />}
      {resetState && <ResetPanel found={resetState} />}
    </div>
  )
}
