import { implement, invalid, ok, type Resource } from '@icosa/kernel'
import { locationsOf } from '../functions/store.ts'
import type { Held } from '../held.ts'
import { locations as contract } from './contract.ts'

/** Every location is this cell: a project may use as many names for it as it likes. */
export function locations(region: string): Resource<Held> {
  return implement<typeof contract, Held>(contract, {
    async listLocations({ params: { project }, query }, { db, caller }) {
      refuseFilter(query.filter)
      if (query.pageToken) invalid([{ at: 'query/pageToken', message: 'is not a token of this list: it has one page' }])
      const ids = new Set([region, ...(await locationsOf(db, caller.tenant, project))])
      return ok({
        locations: [...ids].sort().map((locationId) => ({
          name: `projects/${project}/locations/${locationId}`,
          locationId,
          displayName: locationId,
        })),
      })
    },

    async listRuntimes({ query }, { held }) {
      refuseFilter(query.filter)
      return ok({
        runtimes: (await held.foundRuntimes()).flatMap((found) =>
          'problem' in found
            ? []
            : {
                name: found.name,
                displayName: `${titles[found.name.replace(/\d+$/, '')] ?? found.name} ${found.version}`,
                stage: 'GA' as const,
                environment: 'GEN_2' as const,
                warnings: [],
              },
        ),
      })
    },
  })
}

const titles: Readonly<Record<string, string>> = { nodejs: 'Node.js', python: 'Python' }

function refuseFilter(filter = ''): void {
  if (filter.trim() !== '') invalid([{ at: 'query/filter', message: 'is not understood here: leave it out' }])
}
