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

/** How long an instance may take to get where it should be. Copying a large one is the longest of it. */
const patienceMs = 30 * 60_000
/** A failure may pass: the monitor is not there yet, the one to copy from is busy. */
const failedMs = 45_000
const lookMs = 200

type Context = JobContext<ServiceRuntime>

/** Waits until an instance runs. Throws what keeps it from running, in words that a person can act on. */
async function untilRunning(id: string, { db, signal }: Pick<Context, 'db' | 'signal'>): Promise<void> {
  const began = performance.now()
  let failedSince: number | undefined
  for (;;) {
    signal.throwIfAborted()
    const row = await instances.find(db, id)
    if (!row) interrupted()
    if (row.phase === 'Running' && row.restarted === row.restart) return
    // What it said before it was asked again is old.
    const hasFailed = row.phase === 'Failed' && row.restarted === row.restart
    failedSince = hasFailed ? (failedSince ?? performance.now()) : undefined
    const isHopeless =
      failedSince !== undefined && (row.obstacle !== null || performance.now() - failedSince > failedMs)
    if (isHopeless) throw new Failure('conflict', row.message ?? 'It does not start.', { code: 'MachineFailed' })
    if (performance.now() - began > patienceMs)
      throw new Failure(
        'conflict',
        `It does not run after ${patienceMs / 60_000} minutes: ${row.message ?? row.phase}.`,
        {
          code: 'MachineFailed',
        },
      )
    await sleep(lookMs)
  }
}

/** The same for one that is new: where a program that is not ours has its port, it gets another, unless its caller wants that one. */
async function untilFirstRunning(id: string, wantedPort: number | undefined, context: Context): Promise<void> {
  try {
    await untilRunning(id, context)
  } catch (error) {
    if (!(error instanceof Failure) || wantedPort !== undefined) throw error
    if ((await instances.find(context.db, id))?.obstacle !== 'PortTaken') throw error
    await context.transaction((db) => takeAnotherPort(db, id))
    await untilFirstRunning(id, wantedPort, context)
  }
}

async function untilGone(id: string, { db, signal }: Context): Promise<void> {
  while (await instances.find(db, id)) {
    signal.throwIfAborted()
    await sleep(lookMs)
  }
}

/** Until another machine is the primary, or none is left that will stay: all of a group may be deleted at once. */
async function handOver(row: machines.MachineRow, context: Context): Promise<void> {
  const { cluster, instance, id } = row
  if (cluster === null || !instance) return
  const { clusters } = context.runtime
  const hasHeir = async () =>
    (await instances.membersOf(context.db, cluster)).some((one) => one.isWanted && one.id !== id)
  if (!(await hasHeir())) return
  const members = await clusters.members(cluster).catch(() => [])
  const isOwn = (one: { host: string; port: number }) => one.host === instance.host && one.port === instance.port
  const others = members.filter((one) => !isOwn(one) && one.reported === 'secondary')
  if (others.length === 0 || !members.some((one) => isOwn(one) && isPrimary(one))) return
  await clusters.failOver(cluster)
  await untilSettled(
    cluster,
    context,
    async (members) => members.some((one) => !isOwn(one) && isPrimary(one)) || !(await hasHeir()),
  )
}

/** Until the machines of a group are where they should be. */
async function untilSettled(
  cluster: string,
  { runtime, signal }: Pick<Context, 'runtime' | 'signal'>,
  isThere: (members: Awaited<ReturnType<ServiceRuntime['clusters']['members']>>) => boolean | Promise<boolean>,
): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < 5 * 60_000) {
    signal.throwIfAborted()
    if (await isThere(await runtime.clusters.members(cluster).catch(() => []))) return
    await sleep(lookMs)
  }
  throw new Failure('conflict', 'The machines of the group did not come to agree: read them, and try again.', {
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
  const settled = (work: Work) => async (db: Parameters<typeof machines.settle>[0]) =>
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
            members.some((one) => one.port === instance?.port && one.host === instance.host && isSettled(one)),
          )
        }
        return settled(work)
      },
      failed,
    }),

    change: job<Work, ServiceRuntime>('change', {
      async run(work, context) {
        const row = await current(context, work)
        await handOver(row, context)
        await context.transaction((db) => instances.ask(db, row.id, 'restart'))
        await untilRunning(row.id, context)
        return settled(work)
      },
      failed,
    }),

    remove: job<Work, ServiceRuntime>('remove', {
      async run(work, context) {
        const row = await current(context, work)
        await handOver(row, context).catch((err: Error) => context.log.warn({ err }, 'deleted without handing over'))
        await context.transaction((db) => instances.ask(db, row.id, 'remove'))
        await untilGone(row.id, context)
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
        const what = { id, tenant, kind: 'monitor', cluster: id, size: monitorSize, sizeName: 'monitor' } as const
        await context.transaction((db) => place(db, { ...what, port: undefined }))
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
        await context.transaction((db) => instances.ask(db, id, 'remove'))
        await untilGone(id, context)
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
            members.some((one) => isPrimary(one) && one.port !== before?.port) &&
            members.every((one) => isSettled(one)),
        )
        return undefined
      },
    }),
  }
}

const isSettled = ({ reported, goal }: { reported: string; goal: string }) =>
  reported === goal && ['single', 'primary', 'secondary'].includes(reported)
