import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { privateFile, privateFolder, systemClock } from '@icosa/kernel'
import { suggestion, UsageError } from '@icosa/module'
import type { SnapshotChanges } from '@icosa/platform'
import manifest from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import { compareStates, comparing } from './compare.ts'
import { type MirrorOptions, mirror } from './mirror.ts'
import { markerIn } from './recovery.ts'

/** A snapshot as `icosa snapshot list` shows it. */
export interface Snapshot {
  readonly name: string
  readonly savedAt: string
  readonly bytes: number
  readonly files: number
  /** Icosa version that saved it. */
  readonly version: string
}

/** Snapshots of a data folder that no process is using. */
export interface SnapshotFolder {
  save(name: string): Promise<Snapshot>
  restore(name: string): Promise<Snapshot>
  list(): Promise<Snapshot[]>
  /** Throws if there is no such snapshot. */
  existing(name: string): Promise<Snapshot>
  delete(name: string): Promise<void>
  /** Counts the rows that differ, by table of the platform's database. */
  compare(from: string, to: string): Promise<SnapshotChanges>
  /** Completes an interrupted restore. */
  recover(): Promise<void>
}

/** Files of the running process, and the snapshots themselves. Everything else in the data folder is state. */
export const apart: ReadonlySet<string> = new Set([
  'snapshots',
  'restoring',
  comparing,
  'instance.json',
  'claim.json',
  'icosa.log',
  'icosa.log.1',
  'tls',
])

const isName = /^[a-zA-Z\d][\w.-]{0,99}$/

/**
 * The data folder contains everything: PostgreSQL with the platform's and the tenants' databases, roles and queues,
 * blobs, and other files of services. So a snapshot is a copy of its files, and needs no code in the services.
 */
export function snapshotFolder({ dataDirectory, blobs }: Config): SnapshotFolder {
  if (blobs && !('directory' in blobs))
    throw new UsageError('Snapshots do not cover blobs in a bucket: unset ICOSA_BLOBS for development.')
  const blobFolder = blobs?.directory ?? join(dataDirectory, 'blobs')
  const isWithin = !relative(dataDirectory, blobFolder).startsWith('..')
  const folder = join(dataDirectory, 'snapshots')
  const marker = markerIn(dataDirectory)
  const at = (name: string) => join(folder, name)
  const state = (name: string) => join(at(name), 'state')
  const blobsOf = (name: string) => join(at(name), 'blobs')
  const finalBelow = join(relative(dataDirectory, blobFolder), 'objects') + sep
  const options: MirrorOptions = {
    leaves: (path) => apart.has(path),
    isFinal: (path) => isWithin && path.startsWith(finalBelow), // blobs are immutable
  }

  const read = async (name: string): Promise<Snapshot | undefined> => {
    const text = await readFile(join(at(name), 'snapshot.json'), 'utf8').catch(() => undefined)
    return text === undefined ? undefined : JSON.parse(text)
  }
  const existing = async (name: string): Promise<Snapshot> => {
    const snapshot = isName.test(name) ? await read(name) : undefined
    if (snapshot) return snapshot
    const names = (await list()).map((one) => one.name)
    const others = names.length > 0 ? `There are: ${names.join(', ')}.` : 'There are none yet.'
    throw new UsageError(`There is no snapshot '${name}'.${suggestion(name, names)} ${others}`)
  }
  async function list(): Promise<Snapshot[]> {
    const names = await readdir(folder).catch(() => [])
    const snapshots = await Promise.all(names.filter((name) => isName.test(name)).map(read))
    return snapshots.flatMap((one) => one ?? []).sort((a, b) => a.savedAt.localeCompare(b.savedAt))
  }
  const bringBack = async (name: string) => {
    await mirror(state(name), dataDirectory, options)
    if (!isWithin) await mirror(blobsOf(name), blobFolder)
  }

  return {
    list,
    existing,
    async save(name) {
      if (!isName.test(name))
        throw new UsageError(`'${name}' cannot be the name of a snapshot: use up to 100 letters, digits, . _ and -.`)
      await mkdir(folder, privateFolder)
      const fresh = `.${name}.new`
      await remove(at(fresh))
      const { files, bytes } = await mirror(dataDirectory, state(fresh), options)
      if (!isWithin) await mirror(blobFolder, blobsOf(fresh))
      const snapshot = { name, savedAt: systemClock.now().toISOString(), bytes, files, version: manifest.version }
      await writeFile(join(at(fresh), 'snapshot.json'), `${JSON.stringify(snapshot)}\n`, privateFile)
      await remove(at(name))
      await rename(at(fresh), at(name))
      return snapshot
    },
    async restore(name) {
      const snapshot = await existing(name)
      await writeFile(marker, name, privateFile)
      await bringBack(name)
      await rm(marker)
      return snapshot
    },
    async delete(name) {
      await existing(name)
      await remove(at(name))
    },
    async compare(from, to) {
      await Promise.all([existing(from), existing(to)])
      return compareStates(dataDirectory, state(from), state(to))
    },
    async recover() {
      const name = await readFile(marker, 'utf8').catch(() => undefined)
      if (name === undefined) return
      await existing(name)
      await bringBack(name)
      await rm(marker)
    },
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true })
