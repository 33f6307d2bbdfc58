import type { Database } from '@icosa/kernel'
import { print, type ServiceCommand, UsageError } from '@icosa/module'
import { hasExtension, indexPoints } from '../geo/postgis-store.ts'

export const contributions: ServiceCommand = {
  name: 'contributions',
  usage: 'contributions postgis',
  summary: 'Make the index by which contributions are found with PostGIS; nodes use it from their next start on.',
  flags: {},
  audited: { postgis: [] },
  async run({ words: [action = ''], withDatabase }) {
    const act = actions[action]
    if (!act) throw new UsageError(`Usage: icosa ${contributions.usage}`)
    await withDatabase(act)
  },
}

const actions: Readonly<Record<string, (database: Database) => Promise<void>>> = {
  async postgis(database) {
    if (!(await hasExtension(database)))
      throw new UsageError(
        'The database has no PostGIS: an administrator of it runs `create extension postgis`. Nothing needs it.',
      )
    await indexPoints(database)
    print('Contributions are found by PostGIS from the next start of each node on.')
  },
}
