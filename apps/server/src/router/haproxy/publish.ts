import { join } from 'node:path'
import type { RouteChange } from '../../cells/cell.ts'
import { writeTable } from '../table/file.ts'
import type { RouteTable } from '../table/table.ts'
import { type HaproxyOptions, writeConfiguration } from './configuration.ts'
import { openOverlay } from './overlay.ts'
import { runtimeSocket } from './runtime-socket.ts'

/** Entries of the overlay beyond which HAProxy reads the table again. */
const maxOverlay = 20_000

export interface PublisherOptions extends Omit<HaproxyOptions, 'cells'> {
  readonly say: (line: string) => void
}

/** Returns what keeps HAProxy's files, and HAProxy if it runs, equal to a table. */
export function haproxyPublisher({ folder, say, ...options }: PublisherOptions) {
  const file = join(folder, 'routes')
  const overlay = openOverlay(join(folder, 'overlay.map'), runtimeSocket(join(folder, 'admin.sock')))
  let hasStarted = false
  let isRunning: boolean | undefined

  async function configure({ cells }: RouteTable): Promise<void> {
    const isChanged = await writeConfiguration({ ...options, folder, cells })
    if (isChanged && isRunning) say('Cells have changed: reload HAProxy, which goes on with the former ones.')
  }
  async function absorb(table: RouteTable): Promise<void> {
    await writeTable(file, table.snapshot())
    if (!hasStarted) await overlay.clear(table.version)
    await overlay.absorb(table.version)
  }
  async function update(table: RouteTable, changes: readonly RouteChange[]): Promise<void> {
    if (!hasStarted || changes.some(({ kind }) => kind === 'cell')) await configure(table)
    if (!hasStarted || overlay.size() > maxOverlay)
      await absorb(table).finally(() => {
        hasStarted = true
      })
    else if (changes.length > 0) await overlay.add(table, changes)
    await overlay.synchronize()
  }
  return async (table: RouteTable, changes: readonly RouteChange[]): Promise<void> => {
    const wasRunning = isRunning
    let problem = ''
    isRunning = await update(table, changes).then(
      () => true,
      (error: Error) => {
        problem = error.message
        return false
      },
    )
    if (isRunning !== wasRunning)
      say(isRunning ? 'HAProxy has the table.' : `HAProxy does not have the latest table: ${problem}`)
  }
}
