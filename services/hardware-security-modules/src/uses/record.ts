import { batcher, type Context, type Platform } from '@icosa/kernel'
import { moduleCaller } from '../data-plane/authenticate.ts'
import * as store from './store.ts'

/** Writes down a use: once this resolves, it is kept. Those of several requests go in one statement. */
export type Record = (use: Omit<store.Use, 'at'>) => Promise<void>

/** Beyond so many that wait, the database is too slow to keep up: nothing may be used that is not written down. */
const maxWaiting = 10_000

export function openRecord({ database, clock }: Platform): Record {
  const write = batcher((uses: readonly store.Use[]) => store.insert(database, uses), { maxWaiting })
  return (use) => write({ ...use, at: clock.now() })
}

/** Writes down what a handler has changed, in its transaction: both are there, or neither. */
export async function recordChange(
  { db, clock, caller }: Pick<Context, 'db' | 'clock' | 'caller'>,
  operation: string,
  key: string | null,
): Promise<void> {
  const { module, id } = moduleCaller({ caller })
  const use = { tenant: module.tenant, module: module.id, at: clock.now(), key, operation, caller: id } as const
  await store.insert(db, [{ ...use, algorithm: null, outcome: 'done', detail: null }])
}
