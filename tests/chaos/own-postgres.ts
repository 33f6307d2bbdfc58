import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, prepareDatabase, type Service } from '@icosa/kernel'
import { example, type TestDatabase } from '@icosa/testing'
import { startDevPostgres } from '../../apps/server/src/dev/postgres.ts'

/** A PostgreSQL server used by one test only, so that it can be killed. */
export interface OwnPostgres extends TestDatabase {
  /** Kills the server with all its processes, as a power failure would. */
  kill(): Promise<void>
  /** Restarts it and returns its new address. */
  start(): Promise<string>
}

export async function ownPostgres(
  services: readonly Service[] = [example],
  settings: readonly string[] = [],
): Promise<OwnPostgres> {
  const directory = await mkdtemp(join(await realpath(tmpdir()), 'icosa-outage-'))
  await chmod(directory, 0o755)
  const lockFile = join(directory, 'postgres/data/postmaster.pid')
  let running = await startDevPostgres({ directory })
  if (settings.length > 0) {
    await configure(running.url, settings)
    await running.stop()
    running = await startDevPostgres({ directory })
  }
  const { url } = running
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  await prepareDatabase(database, services)
  await database.close()
  return {
    url,
    async kill() {
      const server = Number(readFileSync(lockFile, 'utf8').split('\n', 1)[0])
      const children = readFileSync(`/proc/${server}/task/${server}/children`, 'utf8').trim().split(' ').map(Number)
      for (const pid of [server, ...children]) process.kill(pid, 'SIGKILL')
      while (existsSync(`/proc/${server}/cwd`)) await sleep(10)
    },
    async start() {
      running = await startDevPostgres({ directory })
      return running.url
    },
    async [Symbol.asyncDispose]() {
      await running.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function configure(url: string, settings: readonly string[]): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  for (const setting of settings) await database.script(`alter system set ${setting}`)
  await database.close()
}
