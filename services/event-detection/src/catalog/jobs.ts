import { job } from '@icosa/kernel'
import { removeRetired } from '../instances/store.ts'

const batchSize = 5_000

/** Deletes the instances of deleted models and older versions. */
export const sweep = job<object>('sweep', {
  async run(_, { transaction, clock, signal }) {
    while (!signal.aborted && (await transaction((db) => removeRetired(db, clock.now(), batchSize))));
  },
})
