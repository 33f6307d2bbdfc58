import type { Database } from '@icosa/kernel'
import { type Finding, found, missing, type Need } from '@icosa/module'
import type { Config } from '../config.ts'

/** Optional: a cell works on while its directory is away. */
export const directoryNeed: Need<Config> = {
  name: 'directory of cells',
  purpose: 'knows which tenant is in which cell, and reserves names',
  isOptional: true,
  remedy: 'Set ICOSA_DIRECTORY_URL and ICOSA_CELL, then run `icosa cells add`: docs/operate/cells.md.',
  async check(config) {
    if (config.directoryUrl === undefined) return found('none: this is the only cell')
    const { openDatabase } = await import('@icosa/kernel')
    const open = (url: string) => openDatabase({ url, maxConnections: 1, onError: () => {} })
    const directory = open(config.directoryUrl)
    const own = config.databaseUrl === undefined ? undefined : open(config.databaseUrl)
    try {
      return await examine(config.cell, directory, own)
    } catch (error) {
      return missing((error as Error).message)
    } finally {
      await Promise.all([directory.close(), own?.close()])
    }
  },
}

async function examine(name: string | undefined, directory: Database, own: Database | undefined): Promise<Finding> {
  const { findCell } = await import('./store.ts')
  const { cellNameOf, listRefused } = await import('./changes-store.ts')
  if (name === undefined) return missing('ICOSA_CELL is not set')
  const cell = await findCell(directory, name)
  if (!cell || (own && (await cellNameOf(own)) !== name)) return missing(`has no cell '${name}'`)
  const refused = own ? await listRefused(own) : []
  const names = refused.map((each) => `the ${each.purpose} ${each.name} of ${each.owner}`)
  return refused.length === 0 ? found(`${name}, ${cell.state}`) : missing(`another cell has ${names.join(', ')}`)
}
