import type { Blobs, ReadingContext } from '@icosa/kernel'
import { type Gallery, galleryKeyOf, galleryOf, opened, recordBytes } from '../training/gallery.ts'
import type { Matcher } from './matcher.ts'
import { signatureBytes } from './scan.ts'

/** Read-through cache of trained galleries. */
export interface Galleries {
  get(from: Pick<ReadingContext, 'blobs' | 'tenantVault' | 'caller'>, name: string, faces: number): Promise<Gallery>
  close(): void
}

interface Entry {
  readonly gallery: Promise<Gallery>
  readonly bytes: number
  usedAt: number
}

const maxBytes = 2 * 1024 ** 3
/** Bounds how long a deleted gallery stays in memory. */
const idleMs = 60_000

/** Evicts galleries that were idle for a while, and the least recently used beyond the size limit. */
export function openGalleries(matcher: Matcher, minFacesForLsh: number): Galleries {
  const entries = new Map<string, Entry>()
  const timer = setInterval(() => {
    for (const [name, { usedAt }] of entries) if (performance.now() - usedAt > idleMs) entries.delete(name)
  }, idleMs / 4).unref()

  const evictFor = (bytes: number) => {
    const byAge = [...entries].toSorted(([, p], [, q]) => p.usedAt - q.usedAt)
    let total = bytes + byAge.reduce((sum, [, entry]) => sum + entry.bytes, 0)
    for (const [name, entry] of byAge) {
      if (total <= maxBytes) return
      entries.delete(name)
      total -= entry.bytes
    }
  }

  return {
    get({ blobs, tenantVault, caller }, name, faces) {
      const cached = entries.get(name)
      if (cached) {
        cached.usedAt = performance.now()
        return cached.gallery
      }
      const bytes = faces * (recordBytes + signatureBytes)
      evictFor(bytes)
      const gallery = load({ blobs, tenantVault, tenant: caller.tenant, matcher, minFacesForLsh }, name, faces)
      entries.set(name, { gallery, bytes, usedAt: performance.now() })
      gallery.catch(() => entries.delete(name)) // the next request retries
      return gallery
    },
    close() {
      clearInterval(timer)
      entries.clear()
    },
  }
}

interface Source extends Pick<ReadingContext, 'tenantVault'> {
  readonly blobs: Blobs
  readonly tenant: string
  readonly matcher: Matcher
  /** Smaller galleries are compared exhaustively. */
  readonly minFacesForLsh: number
}

async function load(source: Source, name: string, faces: number): Promise<Gallery> {
  const { blobs, tenantVault, tenant, matcher, minFacesForLsh } = source
  const key = galleryKeyOf(await tenantVault())
  const gallery = await galleryOf(name, faces, opened(key, name, (await blobs.get(name)).body))
  if (faces < minFacesForLsh) return gallery
  return { ...gallery, signatures: await matcher.signatures(tenant, gallery) }
}
