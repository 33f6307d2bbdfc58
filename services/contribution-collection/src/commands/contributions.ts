import type { Database } from '@icosa/kernel'
import { print, type ServiceCommand, UsageError } from '@icosa/module'
import { hasExtension, indexPoints } from '../geo/postgis-store.ts'

export const contributions: ServiceCommand = {
  name: 'contributions',
  usage: 'contributions postgis',
  summary: 'Create a PostGIS index for proximity search; nodes use it after their next start.',
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
        'The database has no PostGIS, which is optional: its administrator can run `create extension postgis`.',
      )
    await indexPoints(database)
    print('Nodes search contributions with PostGIS after their next start.')
  },
}
