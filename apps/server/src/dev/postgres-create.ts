import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Account, isAlive, UsageError } from '@icosa/module'
import { type Launch, spawned } from './postgres-account.ts'
import type { PostgresBinaries } from './postgres-binaries.ts'
import { type Cluster, clusterAt, database, environment, user, versionOf } from './postgres-cluster.ts'

/** Creates the cluster in a temporary folder and renames it when it is complete, so that there is never half of one. */
export async function createCluster(
  cluster: Cluster,
  { initdb, postgres }: PostgresBinaries,
  launch: Launch,
  account: Account | undefined,
  throwaway: boolean,
): Promise<void> {
  await removeUnfinished(cluster)
  const fresh = clusterAt(await mkdtemp(`${cluster.folder}.new-${process.pid}-`))
  try {
    await writeFile(fresh.passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 })
    await writeFile(fresh.log, '', { mode: 0o600 })
    if (account) {
      const created = [fresh.folder, fresh.passwordFile, fresh.log]
      await Promise.all(created.map((path) => chown(path, account.uid, account.gid)))
    }
    await run(launch, fresh, initdb, [
      `--pgdata=${fresh.data}`,
      `--username=${user}`,
      `--pwfile=${fresh.passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(throwaway ? ['--no-sync', '--wal-segsize=1'] : []),
    ])
    const alone = ['--single', '-D', fresh.data, '-c', 'exit_on_error=on', 'postgres']
    await run(launch, fresh, postgres, alone, `create database ${database}\n`)
    await moveIntoPlace(fresh, cluster)
  } finally {
    await remove(fresh.folder)
  }
}

async function removeUnfinished({ folder }: Cluster): Promise<void> {
  const parent = dirname(folder)
  for (const name of await readdir(parent)) {
    const [, pid] = /^postgres\.new-(\d+)-/.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) await remove(join(parent, name))
  }
}

/** Retries, because an initdb whose parent was killed may write for a moment longer. */
const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

async function run(launch: Launch, { folder }: Cluster, program: string, args: readonly string[], input = '') {
  const child = launch(program, args, { cwd: folder, env: environment, stdio: 'pipe', windowsHide: true })
  const closed = once(child, 'close')
  // A program that exits early does not read its input; its output explains why.
  child.stdin?.on('error', () => {}).end(input)
  const [output, errors] = await Promise.all([read(child.stdout), read(child.stderr), spawned(child), closed])
  if (child.exitCode === 0) return
  throw new UsageError(`${program} failed. Set DATABASE_URL to do without it.\n${output}${errors}`.trim())
}

const read = (stream: ChildProcess['stdout']) => (stream ? text(stream) : '')

async function moveIntoPlace(fresh: Cluster, cluster: Cluster): Promise<void> {
  try {
    await rename(fresh.folder, cluster.folder)
  } catch (cause) {
    // Another process was faster: its cluster is as good as ours.
    if (await versionOf(cluster)) return
    throw new UsageError(`The folder ${cluster.folder} contains files but no database. Remove it.`, { cause })
  }
  if (process.platform === 'win32') return
  const parent = await open(dirname(cluster.folder))
  await parent.sync().finally(() => parent.close())
}
