import { invalid } from '@icosa/kernel'
import type { Answer, Call } from '../data-plane/call.ts'
import { answerPage } from '../data-plane/pages.ts'
import { readSelect } from '../data-plane/query.ts'
import { fields, shown } from '../key-values/shown.ts'
import type { Revision } from '../key-values/store.ts'
import { absent } from './operations.ts'
import * as store from './store.ts'

/** The key-values of a snapshot; none before it is ready. */
export async function listSnapshotItems(call: Call): Promise<Answer> {
  const { platform, query } = call
  const name = query.one('snapshot') ?? ''
  for (const other of ['key', 'label', 'tags'])
    if (query.all(other).length > 0) invalid([{ at: `query/${other}`, message: 'cannot be combined with snapshot' }])
  const { status } = (await store.find(platform.database, call.store, name)) ?? absent(name)
  const isThere = status === 'ready' || status === 'archived'
  const select = readSelect(query, fields)
  return answerPage<Revision>(call, {
    path: '/kv',
    kind: 'kvset',
    shown: (row) => select(shown(row)),
    keysOf: ({ key, label }) => [key, label],
    etagOf: ({ etag }) => etag,
    read: async (window) => (isThere ? store.listItems(platform.database, call.store, name, window) : []),
  })
}
