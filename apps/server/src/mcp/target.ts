import { readFile } from 'node:fs/promises'
import { UsageError } from '@icosa/module'
import type { TenantEndpoint } from '@icosa/platform'
import type { Config } from '../config.ts'
import { controlOf } from '../dev/control/client.ts'
import { logIn, runningInstance, trustAuthority } from '../dev/instance.ts'
import { tenantOf } from '../testkit/endpoints.ts'
import { openInstance } from '../testkit/start.ts'
import type { StartOptions, Tenant } from '../testkit/types.ts'

/** An instance in development mode, as tools call it. */
export interface Target extends AsyncDisposable {
  /** Returns the APIs with the credentials of a tenant, `dev` by default. */
  tenant(name?: string): Promise<Tenant>
  logLines(): Promise<readonly string[]>
}

/** The \`icosa dev\` that runs on a data folder. It may be started, stopped and replaced between calls. */
export function runningTarget({ dataDirectory }: Config): Target {
  const tenants = tenantCache()
  return {
    async tenant(name = 'dev') {
      const instance = runningInstance(dataDirectory)
      if (!instance)
        throw new UsageError(
          `No \`icosa dev\` is running on ${dataDirectory}: start it, or run \`icosa mcp --temporary\`.`,
        )
      trustAuthority(dataDirectory)
      return tenants(instance.url, name, async () => tenantOf('dev', await controlOf(instance).endpoints()))
    },
    logLines: async () => (await readFile(logIn(dataDirectory), 'utf8').catch(() => '')).split('\n').filter(Boolean),
    async [Symbol.asyncDispose]() {},
  }
}

const maxLogLines = 10_000

/** An instance that is deleted at the end. */
export async function temporaryTarget(services: string | undefined): Promise<Target> {
  const lines: string[] = []
  const { app } = await openInstance({
    ...(services !== undefined && { services: services.split(',') as NonNullable<StartOptions['services']> }),
    log(line) {
      lines.push(line.trimEnd())
      if (lines.length > maxLogLines) lines.shift()
    },
  })
  const tenants = tenantCache()
  return {
    tenant: async (name = 'dev') => tenants(app.url, name, async () => app),
    logLines: async () => lines,
    [Symbol.asyncDispose]: app.close,
  }
}

/** Keeps the credentials that were created for each tenant of an instance. */
function tenantCache() {
  const cache = new Map<string, Tenant>()
  return async (url: string, name: string, openDev: () => Promise<Tenant>): Promise<Tenant> => {
    if (name === 'dev') return openDev()
    const key = `${url} ${name}`
    const cached = cache.get(key)
    if (cached) return cached
    const created = await createTenant(await openDev(), name)
    cache.set(key, created)
    return created
  }
}

async function createTenant(dev: Tenant, name: string): Promise<Tenant> {
  const response = await dev.fetch('platform', '/tenants', { method: 'POST', body: JSON.stringify({ name }) })
  const answer = await response.text()
  if (response.status !== 201) throw new UsageError(`The tenant was not created: ${answer}`)
  return tenantOf(name, (JSON.parse(answer) as { readonly endpoints: readonly TenantEndpoint[] }).endpoints)
}
