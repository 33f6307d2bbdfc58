import { randomUUID } from 'node:crypto'
import { once as onceEvent } from 'node:events'
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
import { countBytes } from './whole.ts'

/** Location and password of a vault's data. */
export interface Repository {
  /** Below the location of all repositories. */
  readonly path: string
  /** 256 random bits, since the key derivation has no work factor. */
  readonly password: string
  /** False for a vault with snapshots: if its repository is missing, its storage is unavailable rather than new. */
  readonly mayCreate: boolean
}

export interface NewSnapshot {
  /** The name of its one file. */
  readonly name: string
  readonly tags: readonly string[]
  /** Called when a slot is free, and again if the repository was locked. */
  readonly content: () => Promise<Readable>
  readonly signal: AbortSignal
}

export interface SavedSnapshot {
  readonly snapshot: string
  readonly bytes: number
  /** Compressed size of the data that the repository did not have yet. */
  readonly added: number
}

export interface Snapshot {
  readonly id: string
  /** The name of its one file. */
  readonly name: string
  readonly tags: readonly string[]
}

/** The program that stores backups: encrypted, deduplicated, and readable without Icosa. */
export interface Restic {
  backup(repository: Repository, snapshot: NewSnapshot): Promise<SavedSnapshot>
  /** The stream only ends without an error if all of it was read and verified. */
  read(repository: Repository, snapshot: string, name: string, signal: AbortSignal): Promise<Readable>
  list(repository: Repository, signal: AbortSignal): Promise<Snapshot[]>
  /** Deletes snapshots and frees space that no snapshot uses. */
  forget(repository: Repository, ids: readonly string[], signal: AbortSignal): Promise<void>
  /** Reads every byte; throws if any is damaged. */
  verify(repository: Repository, signal?: AbortSignal): Promise<void>
  storedBytes(repository: Repository): Promise<number>
  /** Whether repositories are in a folder: elsewhere, nothing is erased. */
  readonly isFolder: boolean
  /** Deletes a vault's repository. */
  erase(repository: Pick<Repository, 'path'>): Promise<void>
  locationOf(repository: Pick<Repository, 'path'>): string
  /** Fails if restic is not installed, so that a job is rejected when it is started. */
  demandInstalled(): Promise<void>
}

/** No deadline: a repository may be large and remote, and jobs have deadlines of their own. */
const deadlineMs = 2 ** 31 - 1
/** How often to try a locked repository: its owner may be slow, or dead. */
const lockTries = 120
const lockPauseMs = 1_000

/** Without `exclusively`, no other node may create repositories in a bucket at the same time. */
export function openRestic(
  settings: Omit<BackupSettings, 'region'>,
  exclusively: Exclusively = (_, work) => work(),
): Restic {
  const { repositories, marker, s3KeyId, s3Secret, concurrency } = settings
  let isInstalled = false
  const inTurn = semaphore(concurrency)
  const reading = semaphore(concurrency) // separate: a copy reads one repository while it writes another
  const alone = semaphorePerKey(1)
  /** Existing repositories outside of folders: checking for one takes a second. */
  const existing = recentlyUsed<true>('backup repositories', 10_000)
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
    const output = await runProgram('restic', argsOf(repository, args), { ...options, ...(input && { input }) })
    return output.toString()
  }

  function run(
    repository: Repository,
    args: readonly string[],
    signal?: AbortSignal,
    input?: NewSnapshot['content'],
  ): Promise<string> {
    return retryWhileLocked(repository, signal, () =>
      inTurn(async () => {
        signal?.throwIfAborted() // it may have waited
        const content = await input?.()
        try {
          return await once(repository, args, signal, content)
        } finally {
          content?.destroy()
        }
      }),
    )
  }

  /** Retries while another process has locked the repository. */
  async function retryWhileLocked<T>(
    repository: Repository,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof ProgramFailed)) throw error
        if (!/already locked/.test(error.message) || tries > lockTries) throw explained(error)
        await inTurn(() => once(repository, ['unlock'], signal)) // removes locks of dead processes
        await sleep(lockPauseMs, undefined, { signal })
      }
    }
  }

  /**
   * Creates the repository of a new vault. One that two workers create concurrently would be unreadable: in a folder the first
   * rename wins, in a bucket a lock lets only one worker create it.
   */
  const ensure = (repository: Repository, signal: AbortSignal) =>
    alone(repository.path, async () => {
      const location = locationOf(repository)
      if (isFolder ? await exists(join(location, 'config')) : existing.get(location)) return
      if (isFolder && !(repository.mayCreate && (await isMounted()))) throw new Failure('unavailable', storageMissing)
      if (!repository.mayCreate) return
      const create = () => initialize(repository, signal)
      await (isFolder ? create() : exclusively(`backup repository ${repository.path}`, create))
      existing.set(location, true)
    })

  async function initialize(repository: Repository, signal: AbortSignal): Promise<void> {
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
      let inputBytes = () => 0
      const countingContent = async () => {
        const stream = countBytes(await content())
        inputBytes = stream.bytes
        return stream.content
      }
      const summary = (await run(repository, args, signal, countingContent))
        .split('\n')
        .findLast((line) => line.includes('"summary"'))
      const result = JSON.parse(summary ?? '{}')
      if (typeof result.snapshot_id !== 'string') throw new Failure('internal', 'restic did not report a snapshot.')
      const bytes: number = result.total_bytes_processed
      if (bytes !== inputBytes()) throw new Failure('internal', `restic stored ${bytes} of ${inputBytes()} bytes.`)
      return { snapshot: result.snapshot_id, bytes, added: result.data_added }
    },

    read(repository, snapshot, name, signal) {
      const args = argsOf(repository, ['dump', snapshot, `/${name}`])
      const open = async () => {
        signal.throwIfAborted()
        const content = readProgram('restic', args, { env: envOf(repository), signal, isBackground: true })
        await onceEvent(content, 'readable') // or throws: a locked repository is detected before the first byte
        return content
      }
      return retryWhileLocked(repository, signal, () => untilClosed(reading, open))
    },

    async list(repository, signal) {
      await ensure(repository, signal)
      const output = await run(repository, ['snapshots'], signal)
      const snapshots: { id: string; paths: string[]; tags?: string[] }[] = JSON.parse(output || '[]')
      return snapshots.map(({ id, paths: [path = ''], tags = [] }) => ({ id, name: path.replace(/^\//, ''), tags }))
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

const storageMissing = 'The data of the vault is missing: mount its storage again.'
const missingProgram = 'restic is not installed on a worker: sudo apt install restic.'

function explained(error: unknown): unknown {
  return error instanceof ProgramFailed && error.why === 'missing' ? new Failure('unavailable', missingProgram) : error
}

/** Opens a stream and occupies a slot until it is closed. */
function untilClosed(slots: Semaphore, open: () => Promise<Readable>): Promise<Readable> {
  return new Promise((resolve, reject) => {
    slots(async () => {
      const content = await open()
      resolve(content)
      await finished(content).catch(() => {}) // its reader gets the error
    }).catch(reject)
  })
}

function notSet(): never {
  throw new Failure('unavailable', 'ICOSA_BACKUP_REPOSITORIES is not set: set it to the same value as on the workers.')
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )
