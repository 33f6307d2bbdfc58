import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFaults } from '@icosa/faults'
import { type ClockMove, createKey, createSigningSecret, moveClock } from '@icosa/kernel'
import { durationMs } from '@icosa/module'
import { deleteBlobs, resetState } from '@icosa/platform/state'
import { createLog } from '@icosa/telemetry'
import { chooseServices } from '../choose.ts'
import { type Config, readConfig } from '../config.ts'
import { findDatabase } from '../database.ts'
import { type Development, silentLog, startDevelopment } from '../dev/development.ts'
import { type Access, developmentAccess, endpointsOf } from '../dev/endpoints.ts'
import { steadyPort } from '../dev/port.ts'
import { devConfig, devKey } from '../dev/settings.ts'
import { type Snapshots, snapshotsOf } from '../dev/snapshots/snapshots.ts'
import { withPlatform } from '../node.ts'
import { createDatabase } from './database.ts'
import { tenantOf } from './endpoints.ts'
import { folderPrefix, removeLeftovers } from './leftovers.ts'
import { sow } from './seeds.ts'
import type { Icosa, Start, StartOptions, TestClock } from './types.ts'

const host = '127.0.0.1'
/** To which `reset` goes back. */
const atStart = 'icosa-start'
const silently = () => {}

export const startInstance: Start = async (options = {}) => {
  await removeLeftovers()
  const { app } = await openInstance(options)
  try {
    if (options.seeds) await sow(options.seeds, app)
    if (options.databaseUrl === undefined) await app.snapshot(atStart)
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

/** With what is behind it, for our own tests. */
export interface Opened {
  readonly app: Icosa
  readonly development: Development
  readonly config: Config
}

export async function openInstance(options: StartOptions): Promise<Opened> {
  const { services, databaseUrl, log } = options
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  opened.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const own = databaseUrl === undefined ? undefined : await createDatabase(databaseUrl)
  opened.defer(() => own?.drop())
  const env = { ...options.env, ICOSA_DATA: folder, ...(own && { DATABASE_URL: own.url }) }
  const configure = () => devConfig(readConfig(env, { development: true }))
  const config = await configure()
  const key = await devKey(config, host)
  const faults = openFaults(() => development.services)
  const destination = log && { write: (line: string) => log(line) }

  async function listen(port: number): Promise<Development> {
    const api = { host, port }
    const publicUrls = [`http://${host}:${port}`]
    return startDevelopment({
      configure,
      api,
      chosen: await chooseServices(services?.join(','), { ...config, ...api, publicUrls }, silently),
      key,
      openDatabase: () => findDatabase(config, { onProgress: silently, throwaway: true }),
      log: destination ? createLog({ level: config.logLevel, destination }) : silentLog(),
      around: (name) => faults.around(name),
      say: silently,
    })
  }

  /** Between a look at a port and its use, somebody else may take it. */
  async function listenSomewhere(attempts = 3): Promise<Development> {
    try {
      return await listen(options.port ?? (await steadyPort(host)))
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || options.port !== undefined || attempts === 0) throw error
      return listenSomewhere(attempts - 1)
    }
  }

  const development = await listenSomewhere()
  opened.defer(() => development.stop({ discarding: true })) // its folder or its database goes, too
  const closing = opened.move()
  let isClosed: Promise<void> | undefined
  const close = () => {
    isClosed ??= closing.disposeAsync()
    return isClosed
  }

  const { url } = development
  const endpoints = (access: Access) => endpointsOf(withPlatform(development.services, 'virtual'), url, access)
  const dev = tenantOf('dev', endpoints(developmentAccess(key)))
  const snapshots = own ? undefined : snapshotsOf(development, config)
  const app: Icosa = {
    ...dev,
    url,
    async tenant(name, permissions = ['*']) {
      const { database, clock, vault } = development.node.platform
      const credential = { tenant: name, name: 'testing', permissions }
      const { key: fresh } = await createKey(database, clock, credential)
      const signing = await createSigningSecret(database, clock, vault, credential)
      return tenantOf(name, endpoints({ key: fresh, signing }))
    },
    clock: clockOf(development),
    settle: async () => development.node.worker?.drain(),
    async reset() {
      if (snapshots) await snapshots.restore(atStart)
      else await emptied(development)
    },
    snapshot: (name) => required(snapshots).save(name),
    restore: (name) => required(snapshots).restore(name),
    snapshots: async () => (await required(snapshots).list()).filter(({ name }) => name !== atStart),
    faults,
    close,
    [Symbol.asyncDispose]: close,
  }
  return { app, development, config }
}

function required(snapshots: Snapshots | undefined): Snapshots {
  if (snapshots) return snapshots
  throw new Error('A snapshot is made of an instance with a PostgreSQL of its own: leave out `databaseUrl`.')
}

/** Where the database is somebody else's server: as `icosa reset` does it, so seeds are gone, too. */
async function emptied(development: Development): Promise<void> {
  const { database, blobs } = development.node.platform
  const { blobPrefixes } = await database.transaction((db) => resetState(db, {}))
  for (const prefix of blobPrefixes) await deleteBlobs(blobs, prefix)
  await development.whileStopped({ discarding: true }, async () => {})
}

function clockOf(development: Development): TestClock {
  const move = async (moved: ClockMove) => {
    const { node } = development
    const now = await node.platform.database.transaction((db) => moveClock(db, moved))
    await node.clock?.refresh()
    return now
  }
  return {
    now: async () => development.node.platform.clock.now(),
    advance: (by) => move({ byMs: typeof by === 'number' ? by : durationMs(by) }),
    set: (to) => move({ to: new Date(to) }),
    freeze: () => move({ frozen: true }),
    run: () => move({ frozen: false }),
    reset: () => move({ reset: true }),
  }
}
