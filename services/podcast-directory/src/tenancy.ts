import type { Tenancy } from '@icosa/module'
import type { ValuesOf } from '@icosa/settings'
import { thumbnailKey } from './artwork/thumbnail.ts'
import { indexAnew } from './changes/store.ts'
import { thumbnailsOf } from './podcasts/store.ts'
import type { settings } from './settings.ts'

export const tenancy: Tenancy<ValuesOf<typeof settings>> = {
  async release(tenant, { database, shared }) {
    for (const thumbnail of await thumbnailsOf(database, tenant)) await shared.delete(thumbnailKey(thumbnail))
  },
  notImported: ['changes', 'tenants', 'documents', 'shelves', 'vocabulary', 'turns'].map(
    (table) => `podcast_directory.${table}`,
  ),
  imported: indexAnew,
}
