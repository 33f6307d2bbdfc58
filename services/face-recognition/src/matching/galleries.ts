import type { Blobs, ReadingContext, Vault } from '@icosa/kernel'
import { type Gallery, galleryKeyOf, galleryOf, opened, recordBytes } from '../training/gallery.ts'
import type { Matcher } from './matcher.ts'
import { sketchBytes } from './scan.ts'

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
export function openGalleries(matcher: Matcher, sketchedFrom: number): Galleries {
  const loaded = new Map<string, Loaded>()
  const timer = setInterval(() => {
    for (const [name, { usedAt }] of loaded) if (performance.now() - usedAt > idleMs) loaded.delete(name)
  }, idleMs / 4).unref()

  const makeRoom = (bytes: number) => {
    const byAge = [...loaded].toSorted(([, p], [, q]) => p.usedAt - q.usedAt)
    let total = bytes + byAge.reduce((sum, [, one]) => sum + one.bytes, 0)
    for (const [name, one] of byAge) {
      if (total <= mostBytes) return
      loaded.delete(name)
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
      const bytes = faces * (recordBytes + sketchBytes)
      makeRoom(bytes)
      const gallery = load({ blobs, vault, tenant: caller.tenant, matcher, sketchedFrom }, name, faces)
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
  readonly matcher: Matcher
  /** Fewer faces are compared one by one. */
  readonly sketchedFrom: number
}

async function load(source: Source, name: string, faces: number): Promise<Gallery> {
  const { blobs, vault, tenant, matcher, sketchedFrom } = source
  const gallery = await galleryOf(name, faces, opened(galleryKeyOf(vault), name, (await blobs.get(name)).body))
  if (faces < sketchedFrom) return gallery
  return { ...gallery, sketches: await matcher.sketches(tenant, gallery) }
}
