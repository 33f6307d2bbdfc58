import type { Tenancy } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { thumbnailKey } from './artwork/thumbnail.ts'
import { thumbnailsOf } from './podcasts/store.ts'
import type { settings } from './settings.ts'

export const tenancy: Tenancy<ValuesOf<typeof settings>> = {
  async release(tenant, { database, shared }) {
    for (const thumbnail of await thumbnailsOf(database, tenant)) await shared.delete(thumbnailKey(thumbnail))
  },
}
