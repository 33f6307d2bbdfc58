import { implement, type ReadingContext } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { type Filter, parseFilter, parseLabelFilter } from '../data-plane/lists/filters.ts'
import { type ListInput, readPageOf } from '../data-plane/lists/pages.ts'
import { selecting } from '../data-plane/lists/select.ts'
import * as store from '../key-values/store.ts'
import * as contract from './contract.ts'

export const keys = implement(contract.keys, {
  async list(input, context) {
    const filter = parseFilter('name', input.query.name || undefined)
    return listNames(input, context, 'key', filter, (name) => ({ name }))
  },
})

export const labels = implement(contract.labels, {
  async list(input, context) {
    const filter = parseLabelFilter('name', input.query.name)
    return listNames(input, context, 'label', filter, (name) => ({ name: name === '' ? null : name }))
  },
})

function listNames<Item extends object>(
  input: ListInput & { readonly query: { readonly $select?: string } },
  context: ReadingContext,
  what: 'key' | 'label',
  filter: Filter,
  toItem: (name: string) => Item,
) {
  const select = selecting(contract.Key, input.query.$select)
  return readPageOf<string, Partial<Item>>(input, context, {
    path: `/${what}s`,
    toItem: (name) => select(toItem(name)),
    keysOf: (name) => [name],
    etagOf: (name) => name,
    read: (window) => store.listNames(context.db, storeOf(context), what, filter, window),
  })
}
