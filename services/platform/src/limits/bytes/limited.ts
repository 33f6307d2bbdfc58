import { randomUUID } from 'node:crypto'
import { type Blobs, Failure, type OpenBlobs, type OpenBlobsOptions } from '@icosa/kernel'
import { listLimits } from '../store.ts'
import { ownerOf } from './count.ts'
import { forget, type Owner, type Reservation, release, reserve, settle } from './store.ts'

/** So old may be what a node knows of who is limited. */
export const limitsKnownMs = 2_000
/** Of a stream so much is reserved at a time: nobody asks the database for every piece of it. */
const stepBytes = 4 * 1024 * 1024

/** Blobs of tenants that an operator has limited are counted before they are written; those of others cost nothing more. */
export function limitedBlobs(open: OpenBlobs): OpenBlobs {
  return async (options) => {
    const opened = await open(options)
    return { ...opened, blobs: limited(opened.blobs, options) }
  }
}

function limited(blobs: Blobs, { database, clock }: OpenBlobsOptions): Blobs {
  if (!database) throw new Error('Bytes are counted in the database, so limited blobs need one.')
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const from = performance.now()
    const limits = await listLimits(database as NonNullable<typeof database>, { kind: 'bytes' })
    known = new Set(limits.map(({ tenant, service }) => `${tenant} ${service}`))
    readAt = from
  }

  async function isLimited({ tenant, service }: Owner): Promise<boolean> {
    if (performance.now() - readAt > limitsKnownMs) {
      reading ??= refresh().finally(() => {
        reading = undefined
      })
      await reading
    }
    return known.has(`${tenant} ${service}`) || known.has(`${tenant} *`)
  }

  async function* reserving(body: AsyncIterable<Uint8Array>, reservation: Reservation): AsyncGenerator<Uint8Array> {
    let [reserved, passed] = [0, 0]
    const take = async (bytes: number) => {
      await reserve(database as NonNullable<typeof database>, reservation, bytes, clock.now())
      reserved += bytes
    }
    for await (const chunk of body) {
      passed += Buffer.byteLength(chunk)
      const missing = passed - reserved
      if (missing > 0)
        await take(Math.max(missing, stepBytes)).catch((error) => {
          if (!(error instanceof Failure) || missing >= stepBytes) throw error
          return take(missing) // a whole step is too much, but so much may still fit
        })
      yield chunk
    }
  }

  return {
    ...blobs,
    async put(whole, body, options) {
      const owner = ownerOf(whole)
      if (!owner || !(await isLimited(owner))) return blobs.put(whole, body, options)
      const reservation = { ...owner, id: `/${randomUUID()}` }
      const isWhole = body instanceof Uint8Array
      await reserve(database, reservation, isWhole ? body.byteLength : 0, clock.now())
      try {
        const stored = await blobs.put(whole, isWhole ? body : reserving(body, reservation), options)
        await database.transaction((db) => settle(db, reservation, owner.key, stored.size))
        return stored
      } catch (error) {
        await release(database, reservation).catch(() => {}) // the daily count will
        throw error
      }
    },
    async delete(whole) {
      await blobs.delete(whole)
      const owner = ownerOf(whole)
      if (owner && (await isLimited(owner))) await forget(database, owner, owner.key)
    },
  }
}
