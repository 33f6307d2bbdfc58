import { chmod, chown, lstat, mkdir, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Obstacle } from './obstacle.ts'
import { type Programs, runAs, socketFolder } from './programs.ts'

/** Where an instance keeps what it has. */
export interface Folders {
  readonly all: string
  /** PostgreSQL's own. */
  readonly data: string
  /** Where pg_autoctl keeps what it knows. */
  readonly home: string
  readonly log: string
}

export function foldersOf(folder: string, id: string): Folders {
  const all = join(folder, id.replaceAll('-', ''))
  return { all, data: join(all, 'data'), home: join(all, 'home'), log: join(all, 'log') }
}

/** Throws what is wrong with the folder of a node, in words that say what to do about it. */
export async function prepareFolder(folder: string, programs: Programs): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    await own(folder, programs)
    await makeSocketFolder(programs)
    const probe = join(folder, '.probe')
    await runAs(programs, 'sh', ['-c', 'echo probe > "$1" && rm "$1"', 'sh', probe])
  } catch (error) {
    const as = programs.account?.name ?? 'the user of the node'
    throw new Error(
      `${folder} cannot be written as ${as}: ${(error as Error).message}. Give that user the folder, and passage through those above it.`,
    )
  }
}

/** Anybody may make a folder in /tmp, so it is looked at whose this is. */
async function makeSocketFolder(programs: Programs): Promise<void> {
  const path = socketFolder(programs)
  await mkdir(path, { mode: 0o700 }).then(
    () => own(path, programs),
    () => {},
  )
  const found = await lstat(path)
  const isOurs = found.uid === (programs.account?.uid ?? process.getuid?.()) && (found.mode & 0o77) === 0
  if (!found.isDirectory() || !isOurs) throw new Error(`${path} is somebody else's: remove it`)
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

/** Only for the account of machines. */
export async function writeOwn(path: string, content: string, programs: Programs): Promise<void> {
  await writeFile(path, content, { mode: 0o600 })
  await chmod(path, 0o600)
  await own(path, programs)
}

export const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

export const removeAll = ({ all }: Folders) => rm(all, { recursive: true, force: true, maxRetries: 5 })

/** Less than this on the disk, and PostgreSQL is about to stop. */
const leastFreeBytes = 256 * 1024 ** 2

/** What is wrong with the disk, if anything is. */
export async function diskProblem(folder: string, least = leastFreeBytes): Promise<Obstacle | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= least) return undefined
  const megabytes = (bytes: number) => Math.floor(bytes / 1024 ** 2)
  return new Obstacle(
    'DiskFull',
    `The disk of the node is full: ${megabytes(free)} MB are free below ${folder}, and a machine needs ${megabytes(least)} MB. Free some, or add a node with room.`,
  )
}
