import { type Database, every, isOutage, type ReserveName } from '@icosa/kernel'
import { UsageError } from '@icosa/module'
import type { Config } from '../config.ts'
import { cellNameOf } from './changes-store.ts'
import { type Directory, openDirectory } from './directory.ts'
import { reportChanges } from './report.ts'
import { reserveName } from './reserve.ts'

/** The cell of a node or command, and its directory. */
export interface Membership {
  readonly cell: string
  readonly directory: Directory
  readonly reserveName: (database: Database) => ReserveName
}

/** Returns undefined on a platform without cells. */
export function membershipOf(
  { cell, directoryUrl }: Pick<Config, 'cell' | 'directoryUrl'>,
  onError: (error: Error) => void,
): Membership | undefined {
  if (cell === undefined) return undefined
  if (directoryUrl === undefined) throw new UsageError('ICOSA_CELL needs a directory: set ICOSA_DIRECTORY_URL as well.')
  const directory = openDirectory({ url: directoryUrl, onError })
  return { cell, directory, reserveName: reserveName(directory, cell) }
}

/** Refuses to work on the database of another cell, or on that of a cell without its name. */
export async function refuseOtherCell(database: Database, cell: string | undefined): Promise<void> {
  const name = await cellNameOf(database)
  if (name !== undefined && name !== cell)
    throw new UsageError(`The database is that of the cell '${name}': set ICOSA_CELL=${name} and ICOSA_DIRECTORY_URL.`)
}

const everyMs = 5_000

/** Reports new and lost names to the directory until stopped. While it is away, they wait in the cell. */
export function startReporting(
  database: Database,
  { cell, directory }: Membership,
  say: (line: string) => void,
): () => void {
  let isAway = false
  async function report(): Promise<void> {
    const refused = await reportChanges({ database, directory, cell })
    if (isAway) say('The directory of cells is reachable again.')
    isAway = false
    for (const { purpose, name, owner } of refused)
      say(`The directory refused the ${purpose} ${name} of ${owner}, which another cell has: delete it in one of them.`)
  }
  return every(everyMs, report, (error) => {
    if (isAway && isOutage(error)) return
    isAway = isOutage(error)
    say(`Names could not be reported to the directory of cells: ${(error as Error).message}`)
  })
}
