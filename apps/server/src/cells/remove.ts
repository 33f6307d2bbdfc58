import { type Database, Failure } from '@icosa/kernel'
import { leaveDirectory } from './changes-store.ts'
import { deleteCell, listLoads } from './store.ts'

/** Removes a cell without tenants from the directory. Its database is then that of a platform without cells. */
export async function removeCell(
  directory: Database,
  name: string,
  withCell: (url: string, work: (database: Database) => Promise<void>) => Promise<void>,
): Promise<void> {
  const cells = await listLoads(directory)
  const cell = cells.find((each) => each.name === name)
  if (!cell) throw new Failure('notFound', `There is no cell '${name}': \`icosa cells list\` shows them.`)
  if (cell.tenants > 0)
    throw new Failure('conflict', `The cell '${name}' has ${cell.tenants} tenants: move them to another cell first.`)
  if (cell.isHome && cells.length > 1)
    throw new Failure('conflict', `The cell '${name}' is the home, where people sign in: remove the others first.`)
  await deleteCell(directory, name) // fails if a tenant has come meanwhile
  await withCell(cell.databaseUrl, (database) => database.transaction(leaveDirectory))
}
