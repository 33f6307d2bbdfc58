import type { Journal } from '@icosa/module'
import { latest, preceding } from '../journal/store.ts'
import { wordsOf } from './tail.ts'

export const journal: Journal = {
  title: 'Detectors and alarms',
  async read(db, tenant, limit) {
    const entries = await preceding(db, tenant, await latest(db, tenant), limit)
    return entries.reverse().map((entry) => ({ at: entry.at, what: wordsOf(entry) }))
  },
}
