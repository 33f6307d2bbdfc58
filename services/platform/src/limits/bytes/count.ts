import { type Blobs, blobPrefix, type Database, job, ownBlobs } from '@icosa/kernel'
import type { ServiceRuntime } from '../../runtime.ts'
import { listLimits } from '../store.ts'
import { dropAbandoned, type Owner, putListed, servicesWithState } from './store.ts'

const pageSize = 1_000

/** Recounts stored blobs: when a limit is set, and daily, since killed nodes leave drift. */
export async function countBlobs(database: Database, blobs: Blobs, owner: Owner, now: Date): Promise<void> {
  for (const service of owner.service === '*' ? await servicesWithState(database) : [owner.service])
    await countOf(database, blobs, { ...owner, service }, now)
}

async function countOf(database: Database, blobs: Blobs, owner: Owner, now: Date): Promise<void> {
  const own = ownBlobs(blobs, owner.service, owner.tenant)
  let after: string | undefined = ''
  while (after !== undefined) {
    const from: string = after
    const page: Awaited<ReturnType<Blobs['list']>> = await own.list('', {
      limit: pageSize,
      ...(from !== '' && { after: from }),
    })
    await database.transaction((db) =>
      putListed(db, owner, { items: page.items, after: from, until: page.next, since: now }),
    )
    after = page.next
  }
  await dropAbandoned(database, owner, now)
}

export const countEveryMs = 24 * 3_600_000

export const countLimited = job<object, ServiceRuntime>('countBlobs', {
  async run(_, { runtime, clock, db }) {
    for (const limit of await listLimits(db, { kind: 'bytes' }))
      await countBlobs(runtime.database, runtime.blobs, limit, clock.now())
  },
})

/** Parses a full key into owner and own key. Undefined for blobs without a tenant. */
export function ownerOf(fullKey: string): (Owner & { readonly key: string }) | undefined {
  const [service = '', encoded = '', ...rest] = fullKey.split('/')
  const tenant = decodeURIComponent(encoded.startsWith('@') ? '' : encoded)
  if (tenant === '' || rest.length === 0 || !fullKey.startsWith(blobPrefix(service, tenant))) return undefined
  return { service, tenant, key: rest.join('/') }
}
