import { type Database, type Db, Failure, type ReadingDb } from '@icosa/kernel'
import type { Cell } from './cell.ts'
import { cellNameOf, enterDirectory, leaveDirectory, listNames, type OwnedName } from './changes-store.ts'
import { add, notAdded } from './names-store.ts'
import { listCells, putCell } from './store.ts'

export type NewCell = Omit<Cell, 'number' | 'state'>

export interface AddedCell {
  readonly isHome: boolean
  readonly tenants: number
  readonly names: number
}

/** Names and tenants of a new cell that another one has. */
export class NamesTaken extends Failure {
  constructor(names: readonly OwnedName[]) {
    const listed = names.slice(0, maxListed).map(describe)
    const rest = names.length > maxListed ? `\nand ${names.length - maxListed} more` : ''
    super(
      'conflict',
      `Other cells already have these:\n${listed.join('\n')}${rest}\nRename or delete them in one of the cells. Nothing was added.`,
    )
  }
}

const maxListed = 50

const describe = ({ purpose, name, owner }: OwnedName) =>
  purpose === 'tag' ? `tenant ${owner}` : `${purpose} ${name} of ${owner}`

/**
 * Adds a cell with all of its tenants and names, or brings the directory up to date with a cell that it has. From then on,
 * the cell reserves new names. Nothing changes if it has names that are taken.
 */
export async function addCell(
  directory: Database,
  database: Database,
  { now, ...cell }: NewCell & { readonly now: Date },
): Promise<AddedCell> {
  const known = await cellNameOf(database)
  if (known !== undefined && known !== cell.name)
    throw new Failure('conflict', `This database belongs to the cell '${known}': add it by that name.`)
  const isHome = await homeRuleOf(directory, cell)
  await database.transaction((db) => enterDirectory(db, cell.name, now))
  try {
    return await directory.transaction(async (db) => {
      await putCell(db, { ...cell, isHome })
      const tenants = await register(db, database, 'tags', cell.name)
      const names = await register(db, database, 'others', cell.name)
      const taken = [...tenants.taken, ...names.taken]
      if (taken.length > 0) throw new NamesTaken(taken)
      return { isHome, tenants: tenants.count, names: names.count }
    })
  } catch (error) {
    if (known === undefined) await database.transaction(leaveDirectory)
    throw error
  }
}

/** Exactly one cell is the home, from the first on. */
async function homeRuleOf(directory: ReadingDb, { name, isHome }: NewCell): Promise<boolean> {
  const home = (await listCells(directory)).find((cell) => cell.isHome)
  if (isHome && home && home.name !== name)
    throw new Failure('conflict', `'${home.name}' is the home, where people sign in: add the cell without --home.`)
  return home === undefined || home.name === name
}

const page = 10_000

async function register(db: Db, cell: ReadingDb, what: 'tags' | 'others', name: string) {
  let count = 0
  const taken: OwnedName[] = []
  for (let names = await listNames(cell, what, undefined, page); names.length > 0; ) {
    await add(db, names, name)
    taken.push(...(await notAdded(db, names, name)))
    count += names.length
    names = await listNames(cell, what, names.at(-1), page)
  }
  return { count, taken }
}
