import { type Database, Failure, openDatabase, systemClock, tagOf } from '@icosa/kernel'
import type { Cell, Labels } from './cell.ts'
import type { Directory } from './directory.ts'
import { reserveName } from './reserve.ts'
import { findCell, findRoom, findTenant } from './store.ts'

export interface Placement {
  readonly tenant: string
  readonly tag: string
  readonly cell: Pick<Cell, 'name' | 'url'>
}

const maxAttempts = 3

/** Creates a tenant in the least loaded cell that has the labels. Returns its cell if it has one. */
export async function placeTenant(directory: Directory, tenant: string, labels: Labels): Promise<Placement> {
  if (!/^[\w.@-]{1,100}$/.test(tenant))
    throw new Failure('invalid', 'A tenant name must be 1 to 100 letters, digits or . @ _ -')
  for (let attempt = 1; ; attempt++) {
    const cell = await directory.use((db) => cellFor(db, tenant, labels))
    try {
      const { name, url } = cell
      return { tenant, tag: await createIn(cell, directory, tenant), cell: { name, url } }
    } catch (error) {
      // Another process has placed it elsewhere.
      const isElsewhere = error instanceof Failure && error.kind === 'misdirected'
      if (!isElsewhere || attempt === maxAttempts) throw error
    }
  }
}

async function cellFor(db: Database, tenant: string, labels: Labels): Promise<Cell> {
  const placed = await findTenant(db, tenant)
  const cell = placed ? await findCell(db, placed.cell) : await findRoom(db, labels)
  if (cell) return cell
  const wanted = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  throw new Failure(
    'conflict',
    `No active cell${wanted.length > 0 ? ` with ${wanted.join(', ')}` : ''} has room: \`icosa cells list\` shows them all.`,
  )
}

async function createIn({ name, databaseUrl }: Cell, directory: Directory, tenant: string): Promise<string> {
  const database = openDatabase({
    url: databaseUrl,
    maxConnections: 2,
    onError: () => {},
    reserveName: reserveName(directory, name),
  })
  try {
    return await database.transaction((db) => tagOf(db, systemClock, tenant), tenant)
  } finally {
    await database.close()
  }
}
