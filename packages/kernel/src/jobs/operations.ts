import { randomUUID } from 'node:crypto'
import type { StartedOperation } from '@icosa/contract'
import type { Clock } from '../clock/clock.ts'
import { type Db, type ReadingDb, sql } from '../db/db.ts'
import { isClosed } from '../db/fence/states.ts'
import type { Kind } from '../errors.ts'
import { claimsName } from './claim.ts'
import { type AnyJob, payloadOf } from './jobs.ts'
import type { BoundJobs } from './queue.ts'

export type OperationStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'cancelled'

export interface OperationState {
  readonly id: string
  readonly service: string
  readonly kind: string
  readonly status: OperationStatus
  readonly progress: number | null
  /** The operation's target, as the service names it. */
  readonly resource: string | null
  readonly result: unknown
  readonly error: OperationError | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface OperationError {
  readonly kind: Kind
  readonly message: string
  readonly code?: string
}

/** Long-running operations of a handler. Operation, job and the handler's rows commit together. */
export interface OperationsOf {
  start<Input>(
    job: AnyJob<Input>,
    input: NoInfer<Input>,
    options?: { readonly resource?: string },
  ): Promise<StartedOperation>
  find(id: string): Promise<OperationState | undefined>
  /** Returns false if it had already ended. */
  cancel(id: string): Promise<boolean>
}

const columns = sql`id, service, kind, status, progress, resource, result, error,
  created_at as "createdAt", updated_at as "updatedAt"`

export function operationsIn(
  db: Db,
  clock: Clock,
  jobs: () => BoundJobs,
  service: string,
  tenant: string,
): OperationsOf {
  return {
    async start(job, input, { resource } = {}) {
      const id = randomUUID()
      const now = clock.now()
      await db.run(sql`
        insert into icosa.operations (tenant, id, service, kind, status, resource, created_at, updated_at)
        values (${tenant}, ${id}, ${service}, ${job.name}, 'pending', ${resource ?? null}, ${now}, ${now})`)
      await jobs().send({ ...payloadOf(job, tenant, input), operation: id })
      return { id }
    },
    find: (id) =>
      db.maybe(sql`
        select ${columns} from icosa.operations where tenant = ${tenant} and id = ${id} and service = ${service}`),
    async cancel(id) {
      jobs().touched.add(claimsName)
      return end(db, clock, { tenant, id }, { status: 'cancelled' })
    },
  }
}

export interface OperationKey {
  readonly tenant: string
  readonly id: string
}

/** Returns false if the operation has ended. */
export async function begin(db: Db, clock: Clock, { tenant, id }: OperationKey): Promise<boolean> {
  const running = await db.run(sql`
    update icosa.operations set status = 'running', updated_at = ${clock.now()}
    where tenant = ${tenant} and id = ${id} and status in ('pending', 'running') and not ${isClosed(sql`tenant`)}`)
  return running === 1
}

export async function report(db: Db, clock: Clock, { tenant, id }: OperationKey, progress: number): Promise<void> {
  await db.run(sql`
    update icosa.operations set progress = ${progress}, updated_at = ${clock.now()}
    where tenant = ${tenant} and id = ${id} and status = 'running' and not ${isClosed(sql`tenant`)}`)
}

export interface Ending {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly result?: unknown
  readonly error?: OperationError
}

/** Returns false if it had already ended: terminal states are final. */
export async function end(db: Db, clock: Clock, { tenant, id }: OperationKey, ending: Ending): Promise<boolean> {
  const { status, result = null, error = null } = ending
  const ended = await db.run(sql`
    update icosa.operations set status = ${status}, result = ${JSON.stringify(result)}, updated_at = ${clock.now()},
      error = ${error && JSON.stringify(error)}, progress = case when ${status} = 'succeeded' then 1 else progress end
    where tenant = ${tenant} and id = ${id} and status in ('pending', 'running')`)
  return ended === 1
}

/** Returns the cancelled ones. */
export async function cancelledAmong(db: ReadingDb, keys: readonly OperationKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db.many<{ id: string }>(sql`
    select id from icosa.operations where status = 'cancelled' and (tenant, id) in
      (select * from unnest(${keys.map(({ tenant }) => tenant)}::text[], ${keys.map(({ id }) => id)}::text[]))`)
  return new Set(rows.map(({ id }) => id))
}
