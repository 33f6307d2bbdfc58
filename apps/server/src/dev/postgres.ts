import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { UsageError } from '@icosa/module'
import { launchAs, postgresAccount } from './postgres-account.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { addressOf, type Cluster, clusterAt, isServerOf, readLock, versionOf } from './postgres-cluster.ts'
import { createCluster } from './postgres-create.ts'
import { type Server, serverAt, startServer } from './postgres-server.ts'
import { answers, type Share, takeShare } from './postgres-share.ts'

export interface DevPostgres {
  readonly url: string
  /** False if a server was already running on this folder. */
  readonly started: boolean
  /** Stops the server if no other process uses it. `discarding`: unflushed data is lost. */
  stop(how?: { readonly discarding?: boolean }): Promise<void>
}

export interface DevPostgresOptions {
  /** Parent of the folder `postgres`, which contains the whole database. */
  readonly directory: string
  /** Faster and smaller, but a power cut may corrupt it. */
  readonly throwaway?: boolean | undefined
  readonly onProgress?: (text: string) => void
  /** Called once the server process runs, before it is ready. */
  readonly onLaunched?: () => void
}

/** Long enough for crash recovery. */
const patienceMs = 120_000

export async function startDevPostgres(options: DevPostgresOptions): Promise<DevPostgres> {
  const { directory, throwaway = false, onProgress, onLaunched } = options
  await mkdir(directory, { recursive: true, mode: 0o711 })
  const cluster = await clusterIn(directory)
  const binaries = await findPostgresBinaries()
  const account = await postgresAccount(cluster.folder)
  const launch = await launchAs(account, [dirname(cluster.folder), dirname(binaries.postgres)])

  if (!(await versionOf(cluster))) {
    onProgress?.(`Creating the development database in ${cluster.folder}`)
    await createCluster(cluster, binaries, launch, account, throwaway)
  }
  await refuseOtherVersion(cluster, binaries)

  const patience = AbortSignal.timeout(patienceMs)
  let started: Server | undefined
  while (!patience.aborted) {
    const lock = await readLock(cluster)
    if (!lock || !isServerOf(cluster, lock.pid)) {
      onProgress?.(`Starting PostgreSQL ${binaries.majorVersion}`)
      started = await startServer(cluster, binaries, launch, { lock, patience, onLaunched, throwaway })
      if (started) continue
    } else if (lock.ready) {
      const share = await takeShare(cluster, lock)
      const server = started ?? serverAt(cluster, binaries, lock.pid)
      const url = await addressOf(cluster, lock)
      if (share) return { url, started: started !== undefined, stop: stopIfLast(share, server) }
    }
    await setTimeout(50)
  }
  await started?.stop()
  throw new UsageError(
    `The PostgreSQL on ${cluster.folder} does not respond. Its log is ${cluster.log}. Stop it, or set DATABASE_URL.`,
  )
}

/** Address of a server that already runs on this folder. */
export async function runningDevPostgres(directory: string): Promise<string | undefined> {
  const cluster = await clusterIn(directory)
  const lock = await readLock(cluster)
  if (!lock?.ready || !isServerOf(cluster, lock.pid)) return undefined
  return (await answers(cluster, lock)) ? addressOf(cluster, lock) : undefined
}

async function clusterIn(directory: string): Promise<Cluster> {
  return clusterAt(join(await realpath(directory).catch(() => resolve(directory)), 'postgres'))
}

async function refuseOtherVersion(cluster: Cluster, { majorVersion }: PostgresBinaries): Promise<void> {
  const version = await versionOf(cluster)
  if (version === majorVersion) return
  throw new UsageError(
    `The development database in ${cluster.folder} was created by PostgreSQL ${version}, but PostgreSQL ${majorVersion} is installed. ` +
      `To start over, remove that folder. To keep its data, move the folder away, start a PostgreSQL ${version} on its ` +
      'folder `data`, copy it over with pg_dump, or set DATABASE_URL to the address of that server.',
  )
}

function stopIfLast(share: Share, server: Server): DevPostgres['stop'] {
  const stop: DevPostgres['stop'] = async (how) => {
    const last = await share.leave()
    process.off('exit', server.end)
    if (last) await server.stop(how)
  }
  let stopping: Promise<void> | undefined
  return (how) => {
    stopping ??= stop(how)
    return stopping
  }
}
