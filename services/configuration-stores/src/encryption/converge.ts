import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type JobContext } from '@icosa/kernel'
import { rememberedMs } from '../data-plane/authentication/directory.ts'
import { sealed } from '../key-values/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as stores from '../stores/store.ts'
import type { Cipher } from './cipher.ts'
import * as store from './store.ts'

/** Rows at a time: at most two megabytes, locked for a few milliseconds. */
const batch = 200

/**
 * Makes all values of a store what its key says: encrypted, or as they are. Whoever is killed in between leaves a store
 * whose values are some of them so and some otherwise; all are read, and the next run does the rest.
 */
export async function converge(
  { tenant, id }: store.Store,
  { db, transaction, runtime }: Pick<JobContext<ServiceRuntime>, 'db' | 'transaction' | 'runtime'>,
): Promise<void> {
  const row = await stores.findById(db, tenant, id)
  const key = row && stores.wrappedKeyOf(row)
  if (!row?.reencrypting || !key) return
  const encrypts = row.keyIdentifier !== null
  const own = { tenant, id }
  /** Asked for each time, so that it ends when the key is taken away. */
  const cipherOf = async () => {
    try {
      return await runtime.dataKeys.of({ ...own, name: row.configStoreName }, key)
    } catch (error) {
      throw forAWhile(error)
    }
  }

  if (row.state === 'Updating') await sleep(rememberedMs) // until all nodes know that there is a data key
  // From here on nobody adds a revision that is otherwise.
  for (let after: store.Position | undefined = '0'; after !== undefined; ) {
    const [from, cipher]: [store.Position, Cipher] = [after, await cipherOf()]
    after = await transaction(async (inside) => {
      const rows = await store.someRevisions(inside, own, from, encrypts, batch)
      await store.replaceRevisions(inside, own, rows.map(converted(encrypts, cipher)))
      return rows.length === batch ? rows.at(-1)?.number : undefined
    })
  }
  // Snapshots that are being taken may still copy what was otherwise; those taken later do not.
  await transaction((inside) => stores.lockById(inside, tenant, id))
  for (let count = batch; count === batch; ) {
    const cipher = await cipherOf()
    count = await transaction(async (inside) => {
      const rows = await store.someItems(inside, own, encrypts, batch)
      await store.replaceItems(inside, own, rows.map(converted(encrypts, cipher)))
      return rows.length
    })
  }
}

/** A key that was taken away may come back: the job is tried again for a while before the store has failed. */
function forAWhile(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'forbidden') return error
  return new Failure('unavailable', error.message, { cause: error, code: 'KeyInaccessible' })
}

const converted =
  (encrypts: boolean, cipher: Cipher) =>
  <R extends store.ValueRow>(row: R): R => {
    const clear = row.content === null ? row : { ...row, ...cipher.open(row.content, row) }
    return { ...row, ...sealed({ encrypts, cipher }, clear) }
  }
