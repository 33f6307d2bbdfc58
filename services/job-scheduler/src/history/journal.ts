import type { Journal } from '@icosa/module'
import * as store from './store.ts'

export const journal: Journal = {
  title: 'Scheduled requests and messages',
  async read(db, tenant, max) {
    const entries = await store.latest(db, tenant, max)
    return entries.map(({ name, status, message, endedAt }) => ({
      at: endedAt,
      what: `${name}: ${status}${message && `, ${message}`}`,
    }))
  },
}
