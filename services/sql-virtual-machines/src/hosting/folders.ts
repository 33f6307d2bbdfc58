import { chmod, chown, lstat, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Obstacle } from './obstacle.ts'
import { type Programs, runAs, socketFolder } from './programs.ts'

/** Folders and files of an instance. */
export interface Folders {
  readonly all: string
  /** PostgreSQL's own. */
  readonly data: string
  /** State of pg_autoctl. */
  readonly home: string
  readonly log: string
}

export function foldersOf(folder: string, id: string): Folders {
  const all = join(folder, id.replaceAll('-', ''))
  return { all, data: join(all, 'data'), home: join(all, 'home'), log: join(all, 'log') }
}

/** Creates and checks the node's folder. Throws with a remedy. */
export async function prepareFolder(folder: string, programs: Programs): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await own(folder, programs)
    await makeSocketFolder(programs)
    const probe = join(folder, '.probe')
    await runAs(programs, 'sh', ['-c', 'echo probe > "$1" && rm "$1"', 'sh', probe])
  } catch (error) {
    const user = programs.account?.name ?? 'the user of the node'
    throw new Error(
      `${folder} cannot be written as ${user}: ${(error as Error).message}. Let that user own the folder and traverse its parents.`,
    )
  }
}

/** Any user may create a folder in /tmp, so the owner is checked. */
async function makeSocketFolder(programs: Programs): Promise<void> {
  const path = socketFolder(programs)
  await mkdir(path, { mode: 0o700 }).then(
    () => own(path, programs),
    () => {},
  )
  const stats = await lstat(path)
  const isOurs = stats.uid === (programs.account?.uid ?? process.getuid?.()) && (stats.mode & 0o77) === 0
  if (!stats.isDirectory() || !isOurs) throw new Error(`${path} belongs to another user: remove it`)
}

export async function prepareInstance({ all, home }: Folders, programs: Programs): Promise<void> {
  for (const folder of [all, home]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await own(folder, programs)
  }
}

export async function own(path: string, { account }: Programs): Promise<void> {
  if (account) await chown(path, account.uid, account.gid)
}

/** Writes a file that only the machines' account may read. */
export async function writeOwn(path: string, content: string, programs: Programs): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  await chmod(path, 0o600)
  await own(path, programs)
}

export const isFolder = (path: string) =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )

export const removeAll = ({ all }: Folders) => rm(all, { recursive: true, force: true, maxRetries: 5 })

/** With less free disk space, PostgreSQL is about to stop. */
const minFreeBytes = 256 * 1024 ** 2

/** Returns an obstacle if the disk is full. */
export async function diskProblem(folder: string, minBytes = minFreeBytes): Promise<Obstacle | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= minBytes) return undefined
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 ** 2)
  return new Obstacle(
    'DiskFull',
    `The disk of the node is full: ${megabytes(free)} MB are free below ${folder}, and a machine needs ${megabytes(minBytes)} MB. Free some, or add a node.`,
  )
}
