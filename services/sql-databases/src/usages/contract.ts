import { named, Type } from '@icosa/contract'
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

/** How much of what it may have something uses now. Beyond the specification. */
export const serverUsages = {
  listByServer: get(inGroup('/servers/{serverName}/usages'), {
    summary: 'Read how many databases a server has, and how many its owner may have.',
    replies: { 200: listed('ServerUsageListResult', 'ServerUsage') },
    extension: true,
  }),
}

export const databaseUsages = {
  listByDatabase: get(inGroup('/servers/{serverName}/databases/{databaseName}/usages'), {
    summary: 'Read how large a database is and how many connections it has, with its limits.',
    replies: { 200: listed('DatabaseUsageListResult', 'DatabaseUsage') },
    extension: true,
  }),
}
