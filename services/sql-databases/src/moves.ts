import { movesBy } from '@icosa/kernel'
import * as store from './moves-store.ts'

export const moves = movesBy({
  async obstacles({ from: { cell, database } }, tenant) {
    const [databases, continuous] = await Promise.all([
      store.databaseNames(database, tenant),
      store.continuousBackups(database, tenant),
    ])
    return [
      ...databases.map(
        (name) => `The SQL database '${name}' is bound to ${cell}: delete it, and create it again after the move.`,
      ),
      ...continuous.map(
        (name) =>
          `The continuous backup of the SQL database '${name}' is in the archive of the SQL host of ${cell}: delete its recovery point.`,
      ),
    ]
  },
})
