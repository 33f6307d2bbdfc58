import { implement, invalid, ok, type Resource } from '@icosa/kernel'
import { filtered } from '../filter.ts'
import { locationsOf } from '../functions/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { locations as contract } from './contract.ts'

/** Every location is this cell: a project may use as many names for it as it likes. */
export function locations(region: string): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listLocations({ params: { project }, query }, { db, caller }) {
      if (query.pageToken) invalid([{ at: 'query/pageToken', message: 'is not a token of this list: it has one page' }])
      const ids = new Set([region, ...(await locationsOf(db, caller.tenant, project))])
      const all = [...ids].sort().map((locationId) => ({
        name: `projects/${project}/locations/${locationId}`,
        locationId,
        displayName: locationId,
      }))
      return ok({ locations: filtered(all, query.filter ?? '', ['name', 'locationId', 'displayName']) })
    },

    async listRuntimes({ query }, { runtime }) {
      const all = (await runtime.foundRuntimes()).flatMap((found) =>
        'problem' in found
          ? []
          : {
              name: found.name,
              displayName: `${titles[found.name.replace(/\d+$/, '')] ?? found.name} ${found.version}`,
              stage: 'GA' as const,
              environment: 'GEN_2' as const,
              warnings: [],
            },
      )
      return ok({ runtimes: filtered(all, query.filter ?? '', ['name', 'displayName', 'stage', 'environment']) })
    },
  })
}

const titles: Readonly<Record<string, string>> = { nodejs: 'Node.js', python: 'Python' }
