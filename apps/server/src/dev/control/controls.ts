import type { Faults } from '@icosa/faults'
import { createKey, createSigningSecret } from '@icosa/kernel'
import type { Controls } from '@icosa/platform'
import { withPlatform } from '../../node.ts'
import { readPermissions } from '../../permissions.ts'
import type { Development } from '../development.ts'
import { type Access, developmentAccess, type Endpoint, endpointsOf } from '../endpoints.ts'
import { snapshotControls } from '../snapshots/controls.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

interface Controlled {
  readonly development: () => Development
  readonly faults: Faults
  readonly snapshots: () => Snapshots
  /** The credential of the tenant `dev`. */
  readonly key: string
}

/** What the platform's operations control in this process. */
export const controlsOf = ({ development, faults, snapshots, key }: Controlled): Controls => ({
  faults,
  snapshots: snapshotControls(snapshots),
  async endpoints(tenant, permissions) {
    const endpoints = await tenantEndpoints(development(), key, tenant, permissions)
    return endpoints.map(({ service, name, api, url, authentication, credentials }) => ({
      name,
      ...(service && { service }),
      ...(api && { api }),
      url,
      authentication: {
        kind: authentication.kind,
        ...(authentication.kind === 'signature' && { service: authentication.service }),
      },
      credentials,
    }))
  },
  async settle(signal) {
    await development().node.worker?.drain(signal)
    return !signal.aborted
  },
})

/** Every API with the credentials of a tenant. Creates them, except for those of development mode. */
export async function tenantEndpoints(
  { node, services, url }: Development,
  key: string,
  tenant: string,
  permissions?: readonly string[],
): Promise<Endpoint[]> {
  const isDev = tenant === 'dev' && permissions === undefined
  const access = isDev
    ? developmentAccess(key)
    : await createAccess(node, tenant, await readPermissions(permissions?.join(','), services))
  return endpointsOf(withPlatform(services, 'virtual'), url, access)
}

async function createAccess(
  { platform: { database, clock, cellVault } }: Development['node'],
  tenant: string,
  permissions: readonly string[],
): Promise<Access> {
  const credential = { tenant, name: 'testing', permissions }
  const { key } = await createKey(database, clock, credential)
  return { key, signing: await createSigningSecret(database, clock, cellVault, credential) }
}
