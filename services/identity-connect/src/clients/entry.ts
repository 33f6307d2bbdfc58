import type { ResourceEntry } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import type { ClientRow } from './store.ts'

export const clientType = `${serviceName}/clients`

export const registryId = (id: string) => `/${serviceName}/clients/${id}`

/** The registry entry of a client. */
export const entryOf = ({ id, metadata }: ClientRow, tags: ResourceEntry['tags'] = {}): ResourceEntry => ({
  id: registryId(id),
  type: clientType,
  name: metadata.client_name ?? id,
  tags,
})
