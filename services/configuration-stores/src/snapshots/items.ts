import { invalid, type ReadingContext } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { type ListInput, readPageOf } from '../data-plane/lists/pages.ts'
import type { KeyValue } from '../key-values/contract.ts'
import type { Revision } from '../key-values/store.ts'
import { toKeyValue } from '../key-values/view.ts'
import { snapshotNotFound } from './not-found.ts'
import * as store from './store.ts'

/** Lists the key-values of a snapshot; none before it is ready. */
export async function listSnapshotItems(
  input: ListInput,
  context: ReadingContext,
  name: string,
  select: (item: KeyValue) => KeyValue,
) {
  const { key, label, tags } = input.query
  for (const [other, value] of Object.entries({ key, label, tags }))
    if (value !== undefined) invalid([{ at: `query/${other}`, message: 'cannot be combined with snapshot' }])
  const { db } = context
  const owner = storeOf(context)
  const { status } = (await store.find(db, owner, name)) ?? snapshotNotFound(name)
  const isReadable = status === 'ready' || status === 'archived'
  return readPageOf<Revision, KeyValue>(input, context, {
    path: '/kv',
    toItem: (row) => select(toKeyValue(row)),
    keysOf: ({ key, label }) => [key, label],
    etagOf: ({ etag }) => etag,
    read: async (window) => (isReadable ? store.listItems(db, owner, name, window) : []),
  })
}
