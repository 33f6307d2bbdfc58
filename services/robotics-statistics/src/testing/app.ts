import { basic, startTestApp, type TestApp } from '@icosa/testing'
import type { Source } from '../import/given.ts'
import { importSeason } from '../import/import.ts'
import { roboticsStatistics } from '../index.ts'
import { serviceName } from '../names.ts'
import { syntheticSeason } from '../synthetic/season.ts'

export const season = 2026
export const small = { season, events: 3, teams: 160, rounds: 4 }

/** Starts a node with a tenant, `scout`. */
export async function startRobotics(options: { readonly databaseUrl?: string } = {}) {
  const app = await startTestApp({ services: [roboticsStatistics], ...options })
  return Object.assign(app, { scout: await scoutOf(app, 'scouts') })
}

export type Get = (path: string, headers?: Record<string, string>) => Promise<Response>

export async function scoutOf(app: TestApp, tenant: string) {
  const authorization = basic(tenant, await app.key(tenant))
  const at = `${app.url}/${serviceName}/v3.0`
  const get: Get = (path, headers = {}) => fetch(at + path, { headers: { authorization, ...headers } })
  const { database, clock } = app.platform
  return {
    tenant,
    authorization,
    at,
    get,
    // biome-ignore lint/suspicious/noExplicitAny: tests look at what they get
    json: async (path: string, headers?: Record<string, string>): Promise<any> => (await get(path, headers)).json(),
    import: (source: Source) => importSeason(database, tenant, source, clock),
    synthetic: (plan: Partial<Parameters<typeof syntheticSeason>[0]> = {}) =>
      importSeason(database, tenant, syntheticSeason({ ...small, ...plan }), clock),
  }
}
