import type { Faults } from '@icosa/faults'
import { type ClockMove, moveClock } from '@icosa/kernel'
import { durationMs } from '@icosa/module'
import { deleteBlobs, resetState } from '@icosa/platform/state'
import type { Config } from '../config.ts'
import { tenantEndpoints } from '../dev/control/controls.ts'
import type { Development } from '../dev/development.ts'
import { type Snapshots, snapshotsOf } from '../dev/snapshots/snapshots.ts'
import { tenantOf } from './endpoints.ts'
import { openShare } from './share.ts'
import type { Template } from './template.ts'
import type { Icosa, TestClock } from './types.ts'

/** Snapshot that `reset` restores, unless it restores the template. */
export const atStart = 'icosa-start'

interface Running {
  readonly development: Development
  readonly faults: Faults
  readonly config: Config
  readonly key: string
  readonly template: Template | undefined
  /** Whether its database is on a shared server. */
  readonly isOnServer: boolean
}

/** Wraps an instance for tests. Closing it disposes `opened`. */
export async function openApp(running: Running, opened: AsyncDisposableStack): Promise<Icosa> {
  const { development, faults, config, key, template, isOnServer } = running
  const { url } = development
  let isClosed: Promise<void> | undefined
  const check = () => {
    if (isClosed) throw new Error('This instance was closed: `start` creates another one.')
  }
  const alive = () => {
    check()
    return development
  }
  const endpoints = async (tenant: string, permissions?: readonly string[]) =>
    tenantEndpoints(alive(), key, tenant, permissions)
  const share = await openShare(async (request) => ({
    url,
    endpoints: await endpoints(request.tenant, request.permissions),
  }))
  opened.defer(share.close)
  const dev = tenantOf('dev', await endpoints('dev'), check)
  const snapshots = isOnServer ? undefined : snapshotsOf(development, config)
  const hasStart = async () => (await snapshots?.list())?.some(({ name }) => name === atStart)
  const closing = opened.move()
  const close = () => {
    isClosed ??= closing.disposeAsync()
    return isClosed
  }
  return {
    ...dev,
    url,
    address: share.address,
    tenant: async (name, permissions) => tenantOf(name, await endpoints(name, permissions), check),
    clock: clockOf(alive),
    settle: async () => alive().node.worker?.drain(),
    async reset() {
      const { whileStopped } = alive()
      if (!snapshots) await emptied(development)
      else if (!template || (await hasStart())) await snapshots.restore(atStart)
      else await whileStopped({ discarding: true, prepared: true }, () => template.restore(config.dataDirectory))
    },
    snapshot: async (name) => required(snapshots, check).save(name),
    restore: async (name) => required(snapshots, check).restore(name),
    snapshots: async () => (await required(snapshots, check).list()).filter(({ name }) => name !== atStart),
    faults,
    close,
    [Symbol.asyncDispose]: close,
  }
}

function required(snapshots: Snapshots | undefined, check: () => void): Snapshots {
  check()
  if (snapshots) return snapshots
  throw new Error('Snapshots need an instance with a PostgreSQL of its own: leave out `databaseUrl`.')
}

/** Resets an instance on a shared server as `icosa reset` does, which deletes seeds, too. */
async function emptied(development: Development): Promise<void> {
  const { database, blobs } = development.node.platform
  const { blobPrefixes } = await database.transaction((db) => resetState(db, {}))
  for (const prefix of blobPrefixes) await deleteBlobs(blobs, prefix)
  await development.whileStopped({ discarding: true }, async () => {})
}

function clockOf(running: () => Development): TestClock {
  const move = async (moved: ClockMove) => {
    const { node } = running()
    const now = await node.platform.database.transaction((db) => moveClock(db, moved))
    await node.clock?.refresh()
    return now
  }
  return {
    now: async () => running().node.platform.clock.now(),
    advance: (by) => move({ byMs: typeof by === 'number' ? by : durationMs(by) }),
    set: (to) => move({ to: new Date(to) }),
    freeze: () => move({ frozen: true }),
    run: () => move({ frozen: false }),
    reset: () => move({ reset: true }),
  }
}
