import { resourceId } from '@icosa/dialects/arm/ids'
import type { RestoreWindow } from '@icosa/kernel'
import { levelOf } from '../configuration/levels.ts'
import { api } from '../databases/contract.ts'
import type { DatabaseScope } from '../databases/scope.ts'
import type { DatabaseRow } from '../databases/store.ts'
import type { DroppedRow } from './store.ts'

const kinds = { dropped: 'restorableDroppedDatabases', recoverable: 'recoverableDatabases' } as const

/** Milliseconds from 1601 to 1970: the original has the time of deletion as a Windows file time, in 100 ns. */
const epochMs = 11_644_473_600_000n
const perMs = 10_000n

/** The name of a dropped database: its own and when it was deleted. */
const droppedName = ({ databaseName, droppedAt }: Pick<DroppedRow, 'databaseName' | 'droppedAt'>) =>
  `${databaseName},${(BigInt(droppedAt.getTime()) + epochMs) * perMs}`

/** The pattern of the parameter ensures the format. */
export function readDroppedName(name: string): { readonly databaseName: string; readonly droppedAt: Date } {
  const comma = name.lastIndexOf(',')
  const droppedAt = new Date(Number(BigInt(name.slice(comma + 1)) / perMs - epochMs))
  return { databaseName: name.slice(0, comma), droppedAt }
}

function idOf(scope: DatabaseScope, kind: keyof typeof kinds, name: string) {
  const id = resourceId(scope, api.namespace, 'servers', scope.serverName, kinds[kind], name)
  return { id, name, type: `${api.namespace}/servers/${kinds[kind]}` }
}

function configurationOf({ objective, pool }: Pick<DatabaseRow, 'objective' | 'pool'>) {
  const { tier } = levelOf(objective).sku
  return {
    ...(tier !== undefined && { edition: tier }),
    serviceLevelObjective: objective,
    ...(pool !== null && { elasticPoolName: pool }),
  }
}

export function toDropped(row: DroppedRow, { from }: RestoreWindow) {
  const { sku, maxSizeBytes } = levelOf(row.objective)
  return {
    ...idOf(row, 'dropped', droppedName(row)),
    location: row.location,
    sku,
    properties: {
      databaseName: row.databaseName,
      ...configurationOf(row),
      maxSizeBytes: row.maxSizeBytes ?? maxSizeBytes,
      creationDate: row.createdAt.toISOString(),
      deletionDate: row.droppedAt.toISOString(),
      earliestRestoreDate: from.toISOString(),
    },
  }
}

export const toRecoverable = (row: DatabaseRow, { to }: RestoreWindow) => ({
  ...idOf(row, 'recoverable', row.databaseName),
  properties: { ...configurationOf(row), lastAvailableBackupDate: to.toISOString() },
})
