import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@icosa/compute'
import { Failure, type JobContext } from '@icosa/kernel'
import { type Account, commandAs, isAlive } from '@icosa/module'
import { remedyFor } from '../backups/carried.ts'
import { serverProgramFor } from '../backups/programs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { baseBackupKey } from '../wal-archive/base-backup.ts'
import { archiveKeyOf, openStream } from '../wal-archive/sealing.ts'
import * as store from '../wal-archive/store.ts'
import { serverAccount } from './account.ts'
import { makeFolder, type PrivateServer, startPrivateServer } from './private-server.ts'
import { unrecoverable, writeWalSegments } from './wal.ts'

const deadlineMs = 12 * 3_600_000

/** The SQL host as of a time, in a folder that is deleted with it. */
export interface Recovered extends PrivateServer {
  readonly superuser: string
  readonly major: number
}

type Context = Pick<JobContext<ServiceRuntime>, 'db' | 'blobs' | 'cellVault' | 'signal'>

export async function recoverTo(at: Date, context: Context, folders: Folders): Promise<Recovered> {
  const base = (await store.baseBackupFor(context.db, at)) ?? unrecoverable(at)
  const program = (await folders.serverFor(base.major)) ?? missing(base.major)
  const account = await serverAccount()
  const folder = await folders.take(account)
  try {
    await unpack(base, folder, account, context)
    await writeWalSegments(base, at, folder, account, context)
    const { signal } = context
    const server = await startPrivateServer({ folder, program, account, superuser: base.superuser, at, signal })
    return {
      ...server,
      superuser: base.superuser,
      major: base.major,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]()
        await folders.leave(folder)
      },
    }
  } catch (error) {
    await folders.leave(folder)
    throw error
  }
}

async function unpack(
  base: store.BaseBackup,
  folder: string,
  account: Account | undefined,
  context: Context,
): Promise<void> {
  const { blobs, cellVault, signal } = context
  const key = baseBackupKey(base.epoch, base.id)
  await makeFolder(join(folder, 'data'), account)
  const { body } = await blobs.shared.get(key)
  const input = openStream(archiveKeyOf(cellVault), key, body)
  const [program, ...args] = commandAs(account, 'tar', ['-x', '-f', '-', '-C', join(folder, 'data')])
  await runProgram(program, args, { input, signal, deadlineMs, isBackground: true })
}

function missing(major: number): never {
  throw new Failure(
    'unavailable',
    `The server of PostgreSQL ${major}, which replays its WAL, is not installed on a worker (Debian: postgresql-${major}). ${remedyFor(major)}`,
  )
}

/** Temporary folders for copies of servers. */
export interface Folders {
  /** The server program of this version. */
  serverFor(major: number): Promise<string | undefined>
  take(account: Account | undefined): Promise<string>
  leave(folder: string): Promise<void>
  /** Deletes folders of killed nodes on this machine. */
  sweep(): Promise<void>
}

export function foldersIn({ recoveryFolder: parent, programs, serverPrograms }: SqlSettings): Folders {
  const own = new Set<string>()
  const machine = hostname().replace(/[^\w.]/g, '_')
  const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  let count = 0
  return {
    serverFor: async (major) => serverProgramFor(major, programs, await serverPrograms?.()),
    async take(account) {
      const folder = join(parent, `${machine}-${process.pid}-${++count}`)
      own.add(folder)
      await mkdir(parent, { recursive: true, mode: 0o711 })
      await makeFolder(folder, account)
      return folder
    },
    async leave(folder) {
      await remove(folder)
      own.delete(folder)
    },
    async sweep() {
      for (const name of await readdir(parent).catch(() => [])) {
        const folder = join(parent, name)
        const [, owner, pid] = /^([\w.]+)-(\d+)-\d+$/.exec(name) ?? []
        const isUsed = Number(pid) === process.pid ? own.has(folder) : isAlive(Number(pid))
        if (owner === machine && !isUsed) await remove(folder)
      }
    },
  }
}
