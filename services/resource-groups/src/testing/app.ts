import { client } from '@icosa/client'
import { accountOf } from '@icosa/dialects/signed/arn'
import { type ResourceEntry, resourcesIn } from '@icosa/kernel'
import { credentialsFor, startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { expect } from 'vitest'
import * as contracts from '../contract.ts'
import { defaultSettings, type ResourceGroupsSettings, resourceGroups } from '../index.ts'
import { allTypes, stackQuery, tagQuery } from '../names.ts'

export interface World extends AsyncDisposable {
  readonly app: TestApp
  /** A client of all operations; with all permissions by default. */
  caller(tenant?: string, permissions?: readonly string[]): ReturnType<typeof callerOf>
  /** Registers or unregisters a resource of another service. */
  register(entry: Partial<ResourceEntry> & Pick<ResourceEntry, 'id'>, tenant?: string): Promise<string>
  unregister(id: string, tenant?: string): Promise<void>
}

export async function startGroups(
  settings: Partial<ResourceGroupsSettings> = {},
  options: Partial<TestAppOptions> = {},
): Promise<World> {
  const service = resourceGroups({ ...defaultSettings, ...settings })
  const app = await startTestApp({ services: [service], ...options })
  const { database, clock } = app.platform
  const elsewhere = (tenant: string) => resourcesIn(database, clock, 'elsewhere', tenant)
  return {
    app,
    caller: (tenant = 'acme', permissions) => callerOf(app, service, tenant, permissions),
    async register(entry, tenant = 'acme') {
      await elsewhere(tenant).put({ type: 'Vendor.Things/things', name: entry.id, ...entry })
      return entry.id
    },
    unregister: (id, tenant = 'acme') => elsewhere(tenant).remove(id),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

async function callerOf(...[app, service, tenant, permissions]: Parameters<typeof credentialsFor>) {
  const target = await credentialsFor(app, service, tenant, permissions)
  const { account, configurations, groupingStatuses, groups, members, queries, resources, tagSync, tags } = contracts
  const operations = { ...groups, ...queries, ...configurations, ...members, ...resources, ...tags, ...account }
  return client({ ...operations, ...tagSync, ...groupingStatuses }, target)
}

export const arn = (name: string, tenant = 'acme') =>
  `arn:aws:resource-groups:us-east-1:${accountOf(tenant)}:group/${name}`

type Filters = Readonly<Record<string, readonly string[]>>

/** A query for resources with all of these tags; an empty list of values matches any. */
export function byTags(tags: Filters, types: readonly string[] = [allTypes]) {
  const TagFilters = Object.entries(tags).map(([Key, Values]) => ({ Key, ...(Values.length > 0 && { Values }) }))
  return { Type: tagQuery, Query: JSON.stringify({ ResourceTypeFilters: types, TagFilters }) } as const
}

export function byStack(StackIdentifier: string, types: readonly string[] = [allTypes]) {
  return { Type: stackQuery, Query: JSON.stringify({ ResourceTypeFilters: types, StackIdentifier }) } as const
}

export const refusal = (status: number, name: string, message: RegExp) => ({
  status,
  body: { __type: name, Message: expect.stringMatching(message) },
})
