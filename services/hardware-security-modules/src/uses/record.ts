import { batcher, type Context, type Platform } from '@icosa/kernel'
import { moduleCaller } from '../data-plane/authenticate.ts'
import * as store from './store.ts'

/** Records a use; resolves once it is committed. Concurrent ones share a statement. */
export type Record = (use: Omit<store.Use, 'at'>) => Promise<void>

/** Further uses are refused: the database cannot keep up, and no use may go unrecorded. */
const maxWaiting = 10_000

export function openRecord({ database, clock }: Platform): Record {
  const write = batcher((uses: readonly store.Use[]) => store.insert(database, uses), { maxWaiting })
  return (use) => write({ ...use, at: clock.now() })
}

/** Records a change in the handler's transaction. */
export async function recordChange(
  { db, clock, caller }: Pick<Context, 'db' | 'clock' | 'caller'>,
  operation: string,
  key: string | null,
): Promise<void> {
  const { module, id } = moduleCaller({ caller })
  const use = { tenant: module.tenant, module: module.id, at: clock.now(), key, operation, caller: id } as const
  await store.insert(db, [{ ...use, algorithm: null, outcome: 'done', detail: null }])
}
