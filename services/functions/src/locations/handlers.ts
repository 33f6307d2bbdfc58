import { implement, invalid, ok, type Resource } from '@icosa/kernel'
import { filtered } from '../filter.ts'
import { locationsOf } from '../functions/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { locations as contract } from './contract.ts'

/** Every location is this cell, whatever its name. */
export function locations(region: string): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listLocations({ params: { project }, query }, { db, caller }) {
      if (query.pageToken) invalid([{ at: 'query/pageToken', message: 'is not a token of this list: it has one page' }])
      const ids = new Set([region, ...(await locationsOf(db, caller.tenant, project))])
      const list = [...ids].sort().map((locationId) => ({
        name: `projects/${project}/locations/${locationId}`,
        locationId,
        displayName: locationId,
      }))
      return ok({ locations: filtered(list, query.filter ?? '', ['name', 'locationId', 'displayName']) })
    },

    async listRuntimes({ query }, { runtime }) {
      const list = (await runtime.listRuntimes()).flatMap((entry) =>
        'problem' in entry
          ? []
          : {
              name: entry.name,
              displayName: `${titles[entry.name.replace(/\d+$/, '')] ?? entry.name} ${entry.version}`,
              stage: 'GA' as const,
              environment: 'GEN_2' as const,
              warnings: [],
            },
      )
      return ok({ runtimes: filtered(list, query.filter ?? '', ['name', 'displayName', 'stage', 'environment']) })
    },
  })
}

const titles: Readonly<Record<string, string>> = { nodejs: 'Node.js', python: 'Python' }
