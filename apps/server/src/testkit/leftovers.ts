import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@icosa/module'
import { startDevPostgres } from '../dev/postgres.ts'

export const folderPrefix = 'icosa-testing-'

/** Stops PostgreSQL servers and removes folders of test runs that were killed. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? []
    if (pid === undefined || isAlive(Number(pid))) continue
    const directory = join(tmpdir(), name)
    await endPostgres(directory).catch(() => {})
    await rm(directory, { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  }
}

/** Takes a share of the server and gives it up as the last one, which stops the server. */
async function endPostgres(directory: string): Promise<void> {
  const { runningDevPostgres } = await import('../dev/postgres.ts')
  if (!(await runningDevPostgres(directory))) return
  const postgres = await startDevPostgres({ directory, throwaway: true })
  await postgres.stop({ discarding: true })
}
