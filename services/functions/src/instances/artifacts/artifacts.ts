import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { machineClock } from '@icosa/kernel'
import { exists } from '../../build/exists.ts'
import { unpack } from './tar.ts'

export interface ArtifactsOptions {
  readonly folder: string
  open(tenant: string, key: string): Promise<Readable>
  /** Size limit of the cache, beyond artifacts in use. */
  readonly maxBytes: number
  readonly onError: (error: unknown) => void
}

/** Cache of built code, unpacked on this machine. */
export interface Artifacts {
  /** Returns the folder to mount as /workspace, which is not evicted until released. */
  use(tenant: string, key: string, decrypt?: Decrypt): Promise<{ readonly path: string; release(): void }>
  /** Refreshes the timestamps of artifacts in use, so that other nodes on the machine do not evict them. */
  touch(): Promise<void>
}

type Decrypt = (sealed: Readable) => Readable

const limits = { bytes: 2 ** 30, entries: 200_000 }
/** An artifact touched more recently may be in use by another node on the machine. */
const inUseMs = 600_000

export async function openArtifacts({ folder, open, maxBytes, onError }: ArtifactsOptions): Promise<Artifacts> {
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const root = await realpath(folder)
  const users = new Map<string, number>()
  const unpacking = new Map<string, Promise<void>>()

  /** Renames the folder last: under its final name it is complete. */
  const fetch = async (name: string, tenant: string, key: string, decrypt: Decrypt): Promise<void> => {
    if (await exists(join(root, name))) return await touchFile(join(root, name))
    const part = join(root, `${name}.${randomBytes(4).toString('hex')}.part`)
    await mkdir(join(part, 'workspace'), { recursive: true, mode: 0o755 })
    try {
      const bytes = await unpack(decrypt(await open(tenant, key)), join(part, 'workspace'), limits)
      await writeFile(join(part, 'bytes'), String(bytes))
      await rename(part, join(root, name)).catch(async (error) => {
        if (!(await exists(join(root, name)))) throw error // else another node was faster
      })
    } finally {
      await rm(part, { recursive: true, force: true })
    }
    await evict().catch(onError)
  }

  const evict = async () => {
    const cached = await listCache(root)
    let total = cached.reduce((sum, { bytes }) => sum + bytes, 0)
    const oldest = machineClock.now().getTime() - inUseMs
    for (const { name, bytes, usedAt } of cached.toSorted((a, b) => a.usedAt - b.usedAt)) {
      const isPart = name.endsWith('.part')
      if ((total <= maxBytes && !isPart) || users.has(name) || usedAt > oldest) continue
      const removed = join(root, `${name}.${randomBytes(4).toString('hex')}.part`)
      await rename(join(root, name), removed) // atomically, so that no node finds half of it
      await rm(removed, { recursive: true, force: true })
      total -= bytes
    }
  }

  return {
    async use(tenant, key, decrypt = (content) => content) {
      const name = createHash('sha256').update(`${tenant}\0${key}`).digest('hex').slice(0, 40)
      users.set(name, (users.get(name) ?? 0) + 1)
      const release = () => {
        const remaining = (users.get(name) ?? 1) - 1
        if (remaining > 0) users.set(name, remaining)
        else users.delete(name)
      }
      try {
        const fetching = unpacking.get(name) ?? fetch(name, tenant, key, decrypt).finally(() => unpacking.delete(name))
        unpacking.set(name, fetching)
        await fetching
      } catch (error) {
        release()
        throw error
      }
      return { path: join(root, name, 'workspace'), release }
    },
    async touch() {
      for (const name of users.keys()) if (!unpacking.has(name)) await touchFile(join(root, name)).catch(onError)
    },
  }
}

async function touchFile(path: string): Promise<void> {
  const now = machineClock.now()
  await utimes(path, now, now)
}

async function listCache(root: string) {
  const names = await readdir(root)
  return await Promise.all(
    names.map(async (name) => ({
      name,
      bytes: Number(await readFile(join(root, name, 'bytes'), 'utf8').catch(() => '0')),
      usedAt: await stat(join(root, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      ),
    })),
  )
}
