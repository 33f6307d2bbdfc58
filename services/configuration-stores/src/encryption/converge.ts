import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type JobContext } from '@icosa/kernel'
import { cacheMs } from '../data-plane/authentication/directory.ts'
import { sealed } from '../key-values/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as stores from '../stores/store.ts'
import type { Cipher } from './cipher.ts'
import * as store from './store.ts'

/** Rows per transaction: at most two megabytes, locked for a few milliseconds. */
const batch = 200

/**
 * Encrypts or decrypts all values of a store, according to its key. After a crash the store has both kinds, which stay
 * readable, and the next run converts the rest.
 */
export async function converge(
  { tenant, id }: store.Store,
  { db, transaction, runtime }: Pick<JobContext<ServiceRuntime>, 'db' | 'transaction' | 'runtime'>,
): Promise<void> {
  const row = await stores.findById(db, tenant, id)
  const key = row && stores.wrappedKeyOf(row)
  if (!row?.reencrypting || !key) return
  const encrypts = row.keyIdentifier !== null
  const owner = { tenant, id }
  /** Called for each batch, so that conversion stops when access to the key is revoked. */
  const cipherOf = async () => {
    try {
      return await runtime.dataKeys.of({ ...owner, name: row.configStoreName }, key)
    } catch (error) {
      throw retryable(error)
    }
  }

  if (row.state === 'Updating') await sleep(cacheMs) // until all nodes have noticed the data key
  // From here on, new revisions are converted already.
  for (let after: store.Position | undefined = '0'; after !== undefined; ) {
    const [from, cipher]: [store.Position, Cipher] = [after, await cipherOf()]
    after = await transaction(async (inside) => {
      const rows = await store.revisionBatch(inside, owner, from, encrypts, batch)
      await store.replaceRevisions(inside, owner, rows.map(converted(encrypts, cipher)))
      return rows.length === batch ? rows.at(-1)?.number : undefined
    })
  }
  // Snapshots in progress may still copy unconverted values; later ones do not.
  await transaction((inside) => stores.lockById(inside, tenant, id))
  for (let count = batch; count === batch; ) {
    const cipher = await cipherOf()
    count = await transaction(async (inside) => {
      const rows = await store.itemBatch(inside, owner, encrypts, batch)
      await store.replaceItems(inside, owner, rows.map(converted(encrypts, cipher)))
      return rows.length
    })
  }
}

/** Access may be restored: the job is retried for a while before the store becomes `Failed`. */
function retryable(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'forbidden') return error
  return new Failure('unavailable', error.message, { cause: error, code: 'KeyInaccessible' })
}

const converted =
  (encrypts: boolean, cipher: Cipher) =>
  <R extends store.ValueRow>(row: R): R => {
    const plaintext = row.content === null ? row : { ...row, ...cipher.open(row.content, row) }
    return { ...row, ...sealed({ encrypts, cipher }, plaintext) }
  }
