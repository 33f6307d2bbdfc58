import { job } from '@icosa/kernel'
import { removeRetired } from '../instances/store.ts'

const batch = 5_000

/** Deletes the instances of models and versions that are no more. */
export const sweep = job<object>('sweep', {
  async run(_, { transaction, clock, signal }) {
    while (!signal.aborted && (await transaction((db) => removeRetired(db, clock.now(), batch))));
  },
})
