import { type Blobs, blobEntries, blobPrefix, type Database, ownBlobs } from '@icosa/kernel'
import { remark } from '@icosa/module'
import { servicesWithState } from '@icosa/platform/limits'
import type { ServiceTenancy } from '@icosa/platform/tenants'
import { type Config, factsOf } from '../config.ts'
import { addressed } from '../dev/instance.ts'
import { type LoadedModule, loadModules, settingsOf } from '../services.ts'

/** Tenancy hooks of all services, also of those that no node runs. */
export async function tenanciesOf(
  config: Config,
  databaseUrl: string,
  database: Database,
  blobs: Blobs,
): Promise<ServiceTenancy[]> {
  const facts = factsOf(addressed(config), databaseUrl)
  const installed = await servicesWithState(database)
  const bound = async ({ name, module }: LoadedModule): Promise<ServiceTenancy> => {
    const { tenancy } = (await module.tenancy?.()) ?? {}
    // A development node that runs a few services has the tables of these only.
    if (!tenancy || !installed.includes(name)) return { service: name }
    const { release, ...rest } = tenancy
    const settings = settingsOf(module, config.env, { development: config.databaseUrl === undefined })
    const context = { settings, facts, database, shared: ownBlobs(blobs, name, '').shared, say: remark }
    return {
      service: name,
      ...rest,
      ...(release && { release: (tenant) => release(tenant, context) }),
    }
  }
  return Promise.all((await loadModules()).map(bound))
}

export interface BlobCount {
  readonly service: string
  readonly blobs: number
  readonly bytes: number
}

/** Counts a tenant's blobs and bytes by service. */
export async function blobsOfTenant(
  blobs: Blobs,
  services: readonly { readonly service: string }[],
  tenant: string,
): Promise<BlobCount[]> {
  const counts: BlobCount[] = []
  for (const { service } of services) {
    let [count, bytes] = [0, 0]
    for await (const { size } of blobEntries(blobs, blobPrefix(service, tenant))) {
      count++
      bytes += size
    }
    if (count > 0) counts.push({ service, blobs: count, bytes })
  }
  return counts
}
