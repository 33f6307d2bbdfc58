import type { Journal } from '@icosa/module'
import * as store from './store.ts'

export const journal: Journal = {
  title: 'Calls',
  async read(db, tenant, limit) {
    const calls = await store.latest(db, tenant, limit)
    return calls.map(({ number, state, attempts, updatedAt }) => ({
      at: updatedAt,
      what: `to ${number}: ${state.replace('_', ' ')}${attempts > 1 ? `, ${attempts} attempts` : ''}`,
    }))
  },
}
