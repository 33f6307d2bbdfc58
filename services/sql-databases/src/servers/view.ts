import { groupId, resourceId } from '@icosa/dialects/arm/ids'
import type { ResourceEntry } from '@icosa/kernel'
import { api } from '../databases/contract.ts'
import type { ServerScope } from '../databases/scope.ts'
import type { Server } from './contract.ts'
import type { ServerRow } from './store.ts'

const type = `${api.namespace}/servers`

export const serverId = (scope: ServerScope) => resourceId(scope, api.namespace, 'servers', scope.serverName)

/** `host` is the address of its databases, if a SQL host is configured. */
export function toServer(row: ServerRow, host: string | undefined): Server {
  return {
    id: serverId(row),
    name: row.serverName,
    type,
    kind: 'v12.0',
    location: row.location,
    tags: { ...row.tags },
    properties: { version: '12.0', state: 'Ready', ...(host !== undefined && { fullyQualifiedDomainName: host }) },
  }
}

export function entryOf(row: ServerRow): ResourceEntry {
  const { location, tags } = row
  return { id: serverId(row), type, name: row.serverName, scope: groupId(row), location, tags }
}
