import { randomUUID } from 'node:crypto'
import { type Blobs, Failure, type OpenBlobs, type OpenBlobsOptions } from '@icosa/kernel'
import { listLimits } from '../store.ts'
import { ownerOf } from './count.ts'
import { forget, type Owner, type Reservation, release, reserve, settle } from './store.ts'

/** Maximum age of cached limits. */
export const limitsKnownMs = 2_000
/** Bytes of a stream that are reserved at a time, to save queries. */
const stepBytes = 4 * 1024 * 1024

/** Reserves the bytes of tenants with a limit before they are written; others cost nothing more. */
export function limitedBlobs(open: OpenBlobs): OpenBlobs {
  return async (options) => {
    const store = await open(options)
    return { ...store, blobs: limited(store.blobs, options) }
  }
}

function limited(blobs: Blobs, { database, clock }: OpenBlobsOptions): Blobs {
  if (!database) throw new Error('Bytes are counted in the database, so limited blobs need one.')
  let limitedOwners: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const from = performance.now()
    const limits = await listLimits(database as NonNullable<typeof database>, { kind: 'bytes' })
    limitedOwners = new Set(limits.map(({ tenant, service }) => `${tenant} ${service}`))
    readAt = from
  }

  async function isLimited({ tenant, service }: Owner): Promise<boolean> {
    if (performance.now() - readAt > limitsKnownMs) {
      reading ??= refresh().finally(() => {
        reading = undefined
      })
      await reading
    }
    return limitedOwners.has(`${tenant} ${service}`) || limitedOwners.has(`${tenant} *`)
  }

  async function* reserving(body: AsyncIterable<Uint8Array>, reservation: Reservation): AsyncGenerator<Uint8Array> {
    let [reserved, passed] = [0, 0]
    const reserveBytes = async (bytes: number) => {
      await reserve(database as NonNullable<typeof database>, reservation, bytes, clock.now())
      reserved += bytes
    }
    for await (const chunk of body) {
      passed += Buffer.byteLength(chunk)
      const missing = passed - reserved
      if (missing > 0)
        await reserveBytes(Math.max(missing, stepBytes)).catch((error) => {
          if (!(error instanceof Failure) || missing >= stepBytes) throw error
          return reserveBytes(missing) // a full step exceeds the limit, but the chunk may still fit
        })
      yield chunk
    }
  }

  return {
    ...blobs,
    async put(key, body, options) {
      const owner = ownerOf(key)
      if (!owner || !(await isLimited(owner))) return blobs.put(key, body, options)
      const reservation = { ...owner, id: `/${randomUUID()}` }
      const isBuffer = body instanceof Uint8Array
      await reserve(database, reservation, isBuffer ? body.byteLength : 0, clock.now())
      try {
        const stored = await blobs.put(key, isBuffer ? body : reserving(body, reservation), options)
        await database.transaction((db) => settle(db, reservation, owner.key, stored.size), owner.tenant)
        return stored
      } catch (error) {
        await release(database, reservation).catch(() => {}) // left to the daily count
        throw error
      }
    },
    async delete(key) {
      await blobs.delete(key)
      const owner = ownerOf(key)
      if (owner && (await isLimited(owner))) await forget(database, owner, owner.key)
    },
  }
}
