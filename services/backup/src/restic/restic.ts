import { randomUUID } from 'node:crypto'
import { once as happened } from 'node:events'
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProgramFailed, readProgram, runProgram } from '@icosa/compute'
import { Failure, recentlyUsed, type Semaphore, semaphore, semaphorePerKey } from '@icosa/kernel'
import type { BackupSettings } from '../settings.ts'
import type { Exclusively } from './exclusive.ts'
import { replaceKey } from './key.ts'
import { counted } from './whole.ts'

/** Where the data of a vault is, and with what it is encrypted. */
export interface Repository {
  /** Below the place of all repositories. */
  readonly path: string
  /** 256 random bits: nothing else makes guessing it expensive. */
  readonly password: string
  /** Whether it may be created: never for a vault with snapshots, whose storage is then away and not new. */
  readonly mayCreate: boolean
}

export interface NewSnapshot {
  /** The name of its one file. */
  readonly name: string
  readonly tags: readonly string[]
  /** Called once its turn has come, and again if the repository was locked. */
  readonly content: () => Promise<Readable>
  readonly signal: AbortSignal
}

export interface SavedSnapshot {
  readonly snapshot: string
  readonly bytes: number
  /** How much of it the repository did not have yet, compressed. */
  readonly added: number
}

export interface Snapshot {
  readonly id: string
  /** Of its one file. */
  readonly name: string
  readonly tags: readonly string[]
}

/** The program that keeps what is backed up: encrypted, each part once, and readable without us. */
export interface Restic {
  backup(repository: Repository, snapshot: NewSnapshot): Promise<SavedSnapshot>
  /** Ends if all of it was read and is what was written. */
  read(repository: Repository, snapshot: string, name: string, signal: AbortSignal): Promise<Readable>
  list(repository: Repository, signal: AbortSignal): Promise<Snapshot[]>
  /** Forgets snapshots, and gives back the space that only they took, or that was never a snapshot's. */
  forget(repository: Repository, ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Reads every byte. Throws what is wrong. */
  verify(repository: Repository, signal?: AbortSignal): Promise<void>
  storedBytes(repository: Repository): Promise<number>
  /** Whether repositories lie in a folder: elsewhere, nothing is erased. */
  readonly isFolder: boolean
  /** Leaves nothing of a vault. */
  erase(repository: Pick<Repository, 'path'>): Promise<void>
  locationOf(repository: Pick<Repository, 'path'>): string
  /** Refuses where the program is not: whoever starts something is told at once. */
  demandInstalled(): Promise<void>
}

/** A repository may be large and far away: whoever waits for it has a deadline of its own. */
const deadlineMs = 2 ** 31 - 1
/** So long the one who holds a lock may take, or be dead, before somebody else gives up. */
const lockTries = 120
const lockPauseMs = 1_000

/** Without `exclusively`, no other node may create repositories in a bucket at the same time. */
export function openRestic(
  settings: Omit<BackupSettings, 'region'>,
  exclusively: Exclusively = (_, work) => work(),
): Restic {
  const { repositories, marker, s3KeyId, s3Secret, atOnce } = settings
  let isInstalled = false
  const inTurn = semaphore(atOnce)
  const reading = semaphore(atOnce) // apart: a copy reads one repository in its turn to write another
  const alone = semaphorePerKey(1)
  /** Those outside of folders that are known to be there: to ask takes a second. */
  const made = recentlyUsed<true>('backup repositories', 10_000)
  const locationOf = ({ path }: Pick<Repository, 'path'>) => `${repositories ?? notSet()}/${path}`
  const isFolder = !/^\w+:/.test(repositories ?? '')

  const isMounted = async () => marker === undefined || exists(join(repositories ?? '', marker))

  const argsOf = (repository: Repository, args: readonly string[]) => [
    ...['--repo', locationOf(repository), '--json', '--quiet', '--no-cache'],
    ...args,
  ]
  const envOf = ({ password }: Repository) => ({
    RESTIC_PASSWORD: password,
    ...(s3KeyId !== undefined && { AWS_ACCESS_KEY_ID: s3KeyId }),
    ...(s3Secret !== undefined && { AWS_SECRET_ACCESS_KEY: s3Secret }),
  })

  async function once(repository: Repository, args: readonly string[], signal?: AbortSignal, input?: Readable) {
    const options = { env: envOf(repository), deadlineMs, signal, isBackground: true, outputBytes: 2 ** 30 }
    const printed = await runProgram('restic', argsOf(repository, args), { ...options, ...(input && { input }) })
    return printed.toString()
  }

  function run(
    repository: Repository,
    args: readonly string[],
    signal?: AbortSignal,
    input?: NewSnapshot['content'],
  ): Promise<string> {
    return again(repository, signal, () =>
      inTurn(async () => {
        signal?.throwIfAborted() // it may have waited for long
        const content = await input?.()
        try {
          return await once(repository, args, signal, content)
        } finally {
          content?.destroy()
        }
      }),
    )
  }

  /** Waits where another process has locked the repository. */
  async function again<T>(repository: Repository, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ProgramFailed)) throw error
        if (!/already locked/.test(error.message) || tries > lockTries) throw explained(error)
        await inTurn(() => once(repository, ['unlock'], signal)) // of processes that are dead
        await sleep(lockPauseMs, undefined, { signal })
      }
    }
  }

  /**
   * Creates the repository of a new vault. One that two workers have begun could be read by neither: in a folder that of the first
   * is taken, in a bucket one worker at a time creates it.
   */
  const ensure = (repository: Repository, signal: AbortSignal) =>
    alone(repository.path, async () => {
      const location = locationOf(repository)
      if (isFolder ? await exists(join(location, 'config')) : made.get(location)) return
      if (isFolder && !(repository.mayCreate && (await isMounted()))) throw new Failure('unavailable', storageIsAway)
      if (!repository.mayCreate) return
      const create = () => make(repository, signal)
      await (isFolder ? create() : exclusively(`backup repository ${repository.path}`, create))
      made.set(location, true)
    })

  async function make(repository: Repository, signal: AbortSignal): Promise<void> {
    const draft = isFolder ? { ...repository, path: `${repository.path}.${randomUUID()}` } : repository
    try {
      await inTurn(() => once(draft, ['init'], signal))
      if (!isFolder) return
      const masterKey = await inTurn(() => once(draft, ['cat', 'masterkey'], signal))
      await replaceKey(locationOf(draft), repository.password, masterKey)
      await rename(locationOf(draft), locationOf(repository))
    } catch (error) {
      if (isFolder) await rm(locationOf(draft), { recursive: true, force: true })
      if (!/already (exists|initialized)|ENOTEMPTY|EEXIST/.test(String(error))) throw explained(error)
    }
  }

  return {
    locationOf,

    async demandInstalled() {
      if (isInstalled) return
      await runProgram('restic', ['version']).catch((error) => {
        throw explained(error)
      })
      isInstalled = true
    },

    async backup(repository, { name, tags, content, signal }) {
      await ensure(repository, signal)
      const tagged = tags.flatMap((tag) => ['--tag', tag.replaceAll(',', ' ')])
      const args = ['backup', '--stdin', '--stdin-filename', name, '--host', 'icosa', ...tagged]
      let given = () => 0
      const counting = async () => {
        const read = counted(await content())
        given = read.bytes
        return read.content
      }
      const summary = (await run(repository, args, signal, counting))
        .split('\n')
        .findLast((line) => line.includes('"summary"'))
      const said = JSON.parse(summary ?? '{}')
      if (typeof said.snapshot_id !== 'string') throw new Failure('internal', 'restic did not say what it has saved.')
      const bytes: number = said.total_bytes_processed
      if (bytes !== given()) throw new Failure('internal', `restic has kept ${bytes} bytes of ${given()}.`)
      return { snapshot: said.snapshot_id, bytes, added: said.data_added }
    },

    read(repository, snapshot, name, signal) {
      const args = argsOf(repository, ['dump', snapshot, `/${name}`])
      const open = async () => {
        signal.throwIfAborted()
        const content = readProgram('restic', args, { env: envOf(repository), signal, isBackground: true })
        await happened(content, 'readable') // or it fails: a locked repository is found out before the first byte
        return content
      }
      return again(repository, signal, () => untilClosed(reading, open))
    },

    async list(repository, signal) {
      await ensure(repository, signal)
      const printed = await run(repository, ['snapshots'], signal)
      const all: { id: string; paths: string[]; tags?: string[] }[] = JSON.parse(printed || '[]')
      return all.map(({ id, paths: [path = ''], tags = [] }) => ({ id, name: path.replace(/^\//, ''), tags }))
    },

    async forget(repository, ids, signal) {
      await run(repository, ids.length > 0 ? ['forget', '--prune', ...ids] : ['prune'], signal)
    },

    async verify(repository, signal) {
      await run(repository, ['check', '--read-data'], signal)
    },

    async storedBytes(repository) {
      return JSON.parse(await run(repository, ['stats', '--mode', 'raw-data'])).total_size
    },

    isFolder,
    async erase(repository) {
      if (isFolder) await rm(locationOf(repository), { recursive: true, force: true })
    },
  }
}

const storageIsAway = 'The data of the vault is not where it was: its storage has to be mounted again.'
const missingProgram = 'restic is not installed on a worker: sudo apt install restic.'

function explained(error: unknown): unknown {
  return error instanceof ProgramFailed && error.why === 'missing' ? new Failure('unavailable', missingProgram) : error
}

/** Opens a stream in its turn, which lasts until the stream is closed. */
function untilClosed(gate: Semaphore, open: () => Promise<Readable>): Promise<Readable> {
  return new Promise((resolve, reject) => {
    gate(async () => {
      const content = await open()
      resolve(content)
      await finished(content).catch(() => {}) // its reader has the error
    }).catch(reject)
  })
}

function notSet(): never {
  throw new Failure('unavailable', 'ICOSA_BACKUP_REPOSITORIES is not set: set it as the workers have it.')
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
