import { type Blobs, blobPrefix, type Database, ownBlobs } from '@icosa/kernel'
import { remark } from '@icosa/module'
import type { ServiceTenancy } from '@icosa/platform/tenants'
import { type Config, factsOf } from '../config.ts'
import { addressed } from '../dev/instance.ts'
import { type LoadedModule, loadModules, settingsOf } from '../services.ts'

/** Tenancy hooks of all services, also of those that no node runs. */
export async function tenanciesOf(
  config: Config,
  database: Database,
  databaseUrl: string,
  blobs: Blobs,
): Promise<ServiceTenancy[]> {
  const facts = factsOf(addressed(config), databaseUrl)
  const bound = async ({ name, module }: LoadedModule): Promise<ServiceTenancy> => {
    const { tenancy } = (await module.tenancy?.()) ?? {}
    if (!tenancy) return { service: name }
    const { holds, removeRows, release } = tenancy
    const settings = settingsOf(module, config.env, { development: config.databaseUrl === undefined })
    const context = { settings, facts, database, shared: ownBlobs(blobs, name, '').shared, say: remark }
    return {
      service: name,
      ...(holds && { holds }),
      ...(removeRows && { removeRows }),
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
    let after: string | undefined = ''
    while (after !== undefined) {
      const page: Awaited<ReturnType<Blobs['list']>> = await blobs.list(blobPrefix(service, tenant), {
        limit: 1000,
        ...(after !== '' && { after }),
      })
      count += page.items.length
      bytes += page.items.reduce((sum, { size }) => sum + size, 0)
      after = page.next
    }
    if (count > 0) counts.push({ service, blobs: count, bytes })
  }
  return counts
}
