import type { Answer, Call } from '../data-plane/call.ts'
import { type Filter, parseFilter, parseLabelFilter, parseTagFilters } from '../data-plane/filters.ts'
import { answerPage } from '../data-plane/pages.ts'
import { readSelect } from '../data-plane/query.ts'
import { listSnapshotItems } from '../snapshots/items.ts'
import { fields, shown } from './shown.ts'
import * as store from './store.ts'

function readSelection({ query }: Call): store.Selection {
  return {
    key: parseFilter('key', query.one('key') || undefined),
    label: parseLabelFilter('label', query.one('label')),
    tags: parseTagFilters(query.all('tags')),
  }
}

export async function listKeyValues(call: Call): Promise<Answer> {
  if (call.query.one('snapshot') !== undefined) return listSnapshotItems(call)
  const selection = readSelection(call)
  const select = readSelect(call.query, fields)
  return answerPage<store.Revision>(call, {
    path: '/kv',
    kind: 'kvset',
    shown: (row) => select(shown(row)),
    keysOf: ({ key, label }) => [key, label],
    etagOf: ({ etag }) => etag,
    read: (window) => store.list(call.platform.database, call.store, selection, window),
  })
}

export async function listRevisions(call: Call): Promise<Answer> {
  const selection = readSelection(call)
  const select = readSelect(call.query, fields)
  return answerPage<store.Revision>(call, {
    path: '/revisions',
    kind: 'kvset',
    shown: (row) => select(shown(row)),
    keysOf: ({ number }) => [number],
    etagOf: ({ number }) => number,
    read: (window) => store.listRevisions(call.platform.database, call.store, selection, window),
  })
}

export const listKeys = (call: Call) => listNames(call, 'key', parseFilter('name', call.query.one('name') || undefined))

export const listLabels = (call: Call) => listNames(call, 'label', parseLabelFilter('name', call.query.one('name')))

async function listNames(call: Call, what: 'key' | 'label', filter: Filter): Promise<Answer> {
  const select = readSelect(call.query, ['name'])
  return answerPage<string>(call, {
    path: `/${what}s`,
    kind: `${what}set`,
    shown: (name) => select({ name: name === '' ? null : name }),
    keysOf: (name) => [name],
    etagOf: (name) => name,
    read: (window) => store.listNames(call.platform.database, call.store, what, filter, window),
  })
}
