import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type Job, type JobContext, job } from '@icosa/kernel'
import { isPrimary } from '../clusters/monitor.ts'
import * as groups from '../groups/store.ts'
import { toGroup } from '../groups/view.ts'
import * as instances from '../hosting/store.ts'
import { groupIdOf, machineId } from '../ids.ts'
import { portOf } from '../machines/choices.ts'
import * as machines from '../machines/store.ts'
import { toMachine } from '../machines/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { monitorSize, sizes } from '../sizes.ts'
import { interrupted, type Work } from '../work.ts'
import { place, takeAnotherPort } from './placement-store.ts'

/** Maximum time for an instance to start. Copying a large one takes longest. */
const maxStartMs = 30 * 60_000
/** A failure may be temporary: the monitor is not running yet, or the primary to copy is busy. */
const maxFailedMs = 45_000
const pollMs = 200

type Context = JobContext<ServiceRuntime>

/** Waits until an instance runs. Throws its obstacle, with a remedy. */
async function untilRunning(id: string, { db, signal }: Pick<Context, 'db' | 'signal'>): Promise<void> {
  const startedAt = performance.now()
  let failedSince: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const row = await instances.find(db, id)
    if (!row) interrupted()
    if (row.phase === 'Running' && row.restarted === row.restart) return
    // Reports from before a requested restart are outdated.
    const hasFailed = row.phase === 'Failed' && row.restarted === row.restart
    failedSince = hasFailed ? (failedSince ?? performance.now()) : undefined
    const isFinal =
      failedSince !== undefined && (row.obstacle !== null || performance.now() - failedSince > maxFailedMs)
    if (isFinal) throw new Failure('conflict', row.message ?? 'It does not start.', { code: 'MachineFailed' })
    if (performance.now() - startedAt > maxStartMs)
      throw new Failure(
        'conflict',
        `It is not running after ${maxStartMs / 60_000} minutes: ${row.message ?? row.phase}.`,
        {
          code: 'MachineFailed',
        },
      )
    await sleep(pollMs)
  }
}

/** The same for a new one: if another program uses its port, it gets another, unless the caller has requested this one. */
async function untilFirstRunning(id: string, requestedPort: number | undefined, context: Context): Promise<void> {
  try {
    await untilRunning(id, context)
  } catch (error) {
    if (!(error instanceof Failure) || requestedPort !== undefined) throw error
    if ((await instances.find(context.db, id))?.obstacle !== 'PortTaken') throw error
    await context.transaction((db) => takeAnotherPort(db, id))
    await untilFirstRunning(id, requestedPort, context)
  }
}

async function untilRemoved(id: string, { db, signal }: Context): Promise<void> {
  while (await instances.find(db, id)) {
    signal.throwIfAborted()
    await sleep(pollMs)
  }
}

/** Fails over to another machine, unless none remains: all of a group may be deleted concurrently. */
async function handOver(row: machines.MachineRow, context: Context): Promise<void> {
  const { cluster, instance, id } = row
  if (cluster === null || !instance) return
  const { clusters } = context.runtime
  const hasSuccessor = async () =>
    (await instances.membersOf(context.db, cluster)).some((member) => member.isWanted && member.id !== id)
  if (!(await hasSuccessor())) return
  const members = await clusters.members(cluster).catch(() => [])
  const isOwn = ({ host, port }: { host: string; port: number }) => host === instance.host && port === instance.port
  const others = members.filter((member) => !isOwn(member) && member.reported === 'secondary')
  if (others.length === 0 || !members.some((member) => isOwn(member) && isPrimary(member))) return
  await clusters.failOver(cluster)
  await untilSettled(
    cluster,
    context,
    async (members) => members.some((member) => !isOwn(member) && isPrimary(member)) || !(await hasSuccessor()),
  )
}

/** Waits until the machines of a group have reached a state. */
async function untilSettled(
  cluster: string,
  { runtime, signal }: Pick<Context, 'runtime' | 'signal'>,
  isReached: (members: Awaited<ReturnType<ServiceRuntime['clusters']['members']>>) => boolean | Promise<boolean>,
): Promise<void> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 5 * 60_000) {
    signal.throwIfAborted()
    if (await isReached(await runtime.clusters.members(cluster).catch(() => []))) return
    await sleep(pollMs)
  }
  throw new Failure('conflict', 'The machines of the group did not settle in time: read them, and try again.', {
    code: 'FailoverFailed',
  })
}

export interface MachineJobs {
  readonly create: Job<Work, ServiceRuntime>
  readonly change: Job<Work, ServiceRuntime>
  readonly remove: Job<Work, ServiceRuntime>
  readonly createGroup: Job<Work, ServiceRuntime>
  readonly removeGroup: Job<Work, ServiceRuntime>
  readonly failover: Job<Work, ServiceRuntime>
}

const current = async (context: Pick<Context, 'db'>, work: Work) =>
  (await machines.findWork(context.db, work)) ?? interrupted()
const currentGroup = async (context: Pick<Context, 'db'>, work: Work) =>
  (await groups.findWork(context.db, work)) ?? interrupted()

export function machineJobs(): MachineJobs {
  const finish = (work: Work) => async (db: Parameters<typeof machines.settle>[0]) =>
    toMachine((await machines.settle(db, work, 'Succeeded')) ?? interrupted())
  const failed = async (work: Work, db: Parameters<typeof machines.settle>[0], error: Error) => {
    await machines.settle(db, work, 'Failed', error.message)
  }

  return {
    create: job<Work, ServiceRuntime>('create', {
      async run(work, context) {
        const row = await current(context, work)
        const size = sizes[row.sku]
        const { tenant, cluster, id } = row
        const port = portOf(row.settings)
        await context.transaction((db) =>
          place(db, { id, tenant, kind: 'machine', cluster, size, sizeName: row.sku, port }),
        )
        await context.progress(0.3)
        await untilFirstRunning(id, port, context)
        if (cluster !== null) {
          const { instance } = await current(context, work)
          await untilSettled(cluster, context, (members) =>
            members.some(
              (member) => member.port === instance?.port && member.host === instance.host && isSettled(member),
            ),
          )
        }
        return finish(work)
      },
      failed,
    }),

    change: job<Work, ServiceRuntime>('change', {
      async run(work, context) {
        const row = await current(context, work)
        await handOver(row, context)
        await context.transaction((db) => instances.request(db, row.id, 'restart'))
        await untilRunning(row.id, context)
        return finish(work)
      },
      failed,
    }),

    remove: job<Work, ServiceRuntime>('remove', {
      async run(work, context) {
        const row = await current(context, work)
        await handOver(row, context).catch((err: Error) => context.log.warn({ err }, 'deleted without a failover'))
        await context.transaction((db) => instances.request(db, row.id, 'remove'))
        await untilRemoved(row.id, context)
        return async (db, _, resources) => {
          const last = (await machines.findWork(db, work)) ?? interrupted()
          await machines.remove(db, work)
          await resources.remove(machineId(last))
        }
      },
      failed,
    }),

    createGroup: job<Work, ServiceRuntime>('createGroup', {
      async run(work, context) {
        const { id, tenant } = await currentGroup(context, work)
        const monitor = { id, tenant, kind: 'monitor', cluster: id, size: monitorSize, sizeName: 'monitor' } as const
        await context.transaction((db) => place(db, { ...monitor, port: undefined }))
        await untilFirstRunning(id, undefined, context)
        return async (db) => toGroup((await groups.settle(db, work, 'Succeeded')) ?? interrupted())
      },
      async failed(work, db, error) {
        await groups.settle(db, work, 'Failed', error.message)
      },
    }),

    removeGroup: job<Work, ServiceRuntime>('removeGroup', {
      async run(work, context) {
        const { id } = await currentGroup(context, work)
        await context.transaction((db) => instances.request(db, id, 'remove'))
        await untilRemoved(id, context)
        return async (db, _, resources) => {
          const last = (await groups.findWork(db, work)) ?? interrupted()
          await groups.remove(db, work)
          await resources.remove(groupIdOf(last))
        }
      },
      async failed(work, db, error) {
        await groups.settle(db, work, 'Failed', error.message)
      },
    }),

    failover: job<Work, ServiceRuntime>('failover', {
      retries: 0,
      async run({ id }, context) {
        const { clusters } = context.runtime
        const before = (await clusters.members(id)).find(isPrimary)
        await clusters.failOver(id)
        await untilSettled(
          id,
          context,
          (members) =>
            members.some((member) => isPrimary(member) && member.port !== before?.port) &&
            members.every((member) => isSettled(member)),
        )
        return undefined
      },
    }),
  }
}

const isSettled = ({ reported, goal }: { reported: string; goal: string }) =>
  reported === goal && ['single', 'primary', 'secondary'].includes(reported)
