import { implement, ok, readPage } from '@icosa/kernel'
import { registry as contract } from './contract.ts'
import { find, type RegistryRow } from './store.ts'

const pageSize = 50

const toResource = ({ key: _, location, createdAt, updatedAt, ...row }: RegistryRow) => ({
  ...row,
  ...(location !== null && { location }),
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

export const registry = implement(contract, {
  async searchResources({ query: { q, tag, type, pageToken } }, { db, caller: { tenant } }) {
    const [key = '', ...value] = tag?.split('=') ?? []
    const filter = {
      q,
      type,
      ...(tag !== undefined && { tag: { key, value: value.length > 0 ? value.join('=') : undefined } }),
    }
    const page = await readPage<RegistryRow>(
      { limit: pageSize, token: pageToken, query: ['resources', tenant, filter], at: 'query/pageToken' },
      (row) => [row.key],
      ([after = ''] = [], limit) => find(db, tenant, filter, String(after), limit),
    )
    return ok({
      resources: page.items.map(toResource),
      ...(page.next !== undefined && { nextPageToken: page.next }),
    })
  },
})
