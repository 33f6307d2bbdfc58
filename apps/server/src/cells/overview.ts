import type { CellDirectory } from '@icosa/platform/operator'
import { recentMoves } from '../moves/store.ts'
import type { Directory } from './directory.ts'
import { listLoads } from './store.ts'

/** The directory as operators see it, without the addresses of databases. */
export const directoryFor = (directory: Directory): CellDirectory => ({
  async cells() {
    const cells = await directory.use(listLoads)
    return cells.map(({ databaseUrl: _, number: __, labels, ...cell }) => ({
      ...cell,
      labels: Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    }))
  },
  async moves() {
    const moves = await directory.use(recentMoves)
    return moves.map(({ isEqual: _, ...move }) => move)
  },
})
