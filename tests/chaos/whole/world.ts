import { type Database, openDatabase } from '@icosa/kernel'
import { withoutPgBouncer } from '@icosa/testing'
import { callersOf } from './callers.ts'
import { type Cell, openCell } from './cell.ts'
import { journeysOf } from './journeys.ts'
import { Progress } from './progress.ts'

const tenant = 'acme'
const only = process.env.CHAOS_SERVICES?.split(',')

/** Why a whole cell cannot be started here, if so. */
export const reason = !process.env.NIGHTLY
  ? 'it takes half an hour: NIGHTLY=1'
  : process.getuid?.() !== 0
    ? 'mounting a volume needs root'
    : withoutPgBouncer

export interface WorkingCell extends AsyncDisposable {
  readonly cell: Cell
  readonly database: Database
  readonly services: readonly Progress[]
  /** Ends the work and waits for pending units. */
  rest(): Promise<void>
}

/** A cell with a tenant whose applications use all services; `CHAOS_SERVICES=a,b` chooses some. */
export async function openWorkingCell(): Promise<WorkingCell> {
  const cell = await openCell()
  await cell.icosa('subscriptions', 'bind', 'mine', '--tenant', tenant)
  const key = await cell.icosa('keys', 'create', '--tenant', tenant)
  const [id = '', secret = ''] = (await cell.icosa('keys', 'create', '--tenant', tenant, '--signing')).split(' ')
  const database = openDatabase({ url: cell.databaseUrl, maxConnections: 4, onError: () => {} })
  const journeys = journeysOf({ cell, callers: callersOf(cell.nodes, { key, id, secret }), database, tenant })
  const services = journeys
    .filter(({ service }) => only?.includes(service) ?? true)
    .map((journey) => new Progress(journey))
  const close = async () => {
    await database.close()
    await cell[Symbol.asyncDispose]()
  }
  try {
    for (const { journey } of services) {
      console.log(`preparing ${journey.service}`)
      await journey.prepare?.()
    }
  } catch (error) {
    await close()
    throw error
  }
  let isOver = false
  const working = services.map((service) => service.run(() => isOver))
  const rest = async () => {
    isOver = true
    await Promise.all(working)
  }
  return {
    cell,
    database,
    services,
    rest,
    async [Symbol.asyncDispose]() {
      await rest()
      await close()
    },
  }
}
