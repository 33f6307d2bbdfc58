import { implement, ok } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { changes } from './changes.ts'
import { information as contract } from './contract.ts'

export const information = implement<typeof contract, Held>(contract, {
  listChanges: async () => ok(changes.map((change) => ({ ...change }))),
})
