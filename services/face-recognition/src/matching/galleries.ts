import type { Blobs, ReadingContext, Vault } from '@icosa/kernel'
import { type Gallery, galleryKeyOf, galleryOf, indexKey, opened, recordBytes } from '../training/gallery.ts'
import type { Indexes } from './indexes.ts'

/** What was learnt, as far as it was asked for lately. */
export interface Galleries {
  get(from: Pick<ReadingContext, 'blobs' | 'vault' | 'caller'>, name: string, faces: number): Promise<Gallery>
  close(): void
}

interface Loaded {
  readonly gallery: Promise<Gallery>
  readonly bytes: number
  usedAt: number
}

const mostBytes = 2 * 1024 ** 3
/** Whatever is deleted is gone from memory after that time, too. */
const idleMs = 60_000

/** Each is loaded once by its node, and forgotten when nobody asked for it for a while, or others need the room. */
export function openGalleries(indexes: Indexes): Galleries {
  const loaded = new Map<string, Loaded>()
  const forget = (name: string) => {
    loaded.delete(name)
    indexes.forget(name)
  }
  const timer = setInterval(() => {
    for (const [name, { usedAt }] of loaded) if (performance.now() - usedAt > idleMs) forget(name)
  }, idleMs / 4).unref()

  const makeRoom = (bytes: number) => {
    const byAge = [...loaded].toSorted(([, p], [, q]) => p.usedAt - q.usedAt)
    let total = bytes + byAge.reduce((sum, [, one]) => sum + one.bytes, 0)
    for (const [name, one] of byAge) {
      if (total <= mostBytes) return
      forget(name)
      total -= one.bytes
    }
  }

  return {
    get({ blobs, vault, caller }, name, faces) {
      const known = loaded.get(name)
      if (known) {
        known.usedAt = performance.now()
        return known.gallery
      }
      const bytes = faces * recordBytes
      makeRoom(bytes)
      const gallery = load({ blobs, vault, tenant: caller.tenant, indexes }, name, faces)
      loaded.set(name, { gallery, bytes, usedAt: performance.now() })
      gallery.catch(() => loaded.delete(name)) // whoever asks next tries again
      return gallery
    },
    close() {
      clearInterval(timer)
      loaded.clear()
    },
  }
}

interface Source {
  readonly blobs: Blobs
  readonly vault: Vault
  readonly tenant: string
  readonly indexes: Indexes
}

async function load({ blobs, vault, tenant, indexes }: Source, name: string, faces: number): Promise<Gallery> {
  const key = galleryKeyOf(vault)
  const gallery = await galleryOf(name, faces, opened(key, name, (await blobs.get(name)).body))
  const index = indexKey(name)
  if (faces < indexes.from || !(await blobs.head(index))) return gallery
  await indexes.open(tenant, name, opened(key, index, (await blobs.get(index)).body))
  return { ...gallery, isIndexed: true }
}
