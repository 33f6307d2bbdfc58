import { movesBy } from '@icosa/kernel'
import { vaultNames } from './tenancy-store.ts'

/** Repositories of vaults are outside of rows and blobs. */
export const moves = movesBy({
  obstacles: async ({ from: { cell, database } }, tenant) =>
    (await vaultNames(database, tenant)).map(
      (name) => `The backup vault '${name}' is bound to ${cell}: delete it, and create it again after the move.`,
    ),
})
