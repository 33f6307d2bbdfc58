import { extensions, named, Type } from '@icosa/contract'
import { api } from '../databases/contract.ts'

const { get, inGroup } = api

const fields = {
  name: Type.String(),
  resourceName: Type.String(),
  displayName: Type.String(),
  currentValue: Type.Number(),
  limit: Type.Number(),
  unit: Type.String(),
}
const listed = (title: string, of: string) => named(title, { value: Type.Array(named(of, fields)) })

/** Current usage and its limit. Beyond the specification. */
export const serverUsages = extensions({
  listByServer: get(inGroup('/servers/{serverName}/usages'), {
    summary: 'Read the number of databases of a server, and its limit.',
    replies: { 200: listed('ServerUsageListResult', 'ServerUsage') },
  }),
})

export const databaseUsages = extensions({
  listByDatabase: get(inGroup('/servers/{serverName}/databases/{databaseName}/usages'), {
    summary: 'Read the size and the number of connections of a database, with their limits.',
    replies: { 200: listed('DatabaseUsageListResult', 'DatabaseUsage') },
  }),
})
