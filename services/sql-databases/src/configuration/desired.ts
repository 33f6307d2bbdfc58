import { Failure, invalid } from '@icosa/kernel'
import type { DatabaseInput, DatabaseUpdate, LicenseType } from '../databases/contract.ts'
import { readPoolId, type ServerScope } from '../databases/scope.ts'
import { type PoolLimits, type PoolSettings, poolOf } from '../pools/limits.ts'
import { defaultObjective, type Level, levelOf, pooledObjective, readSku } from './levels.ts'

/** The configurable and mutable part of a database. */
export interface DesiredConfiguration {
  readonly tags: Readonly<Record<string, string>>
  readonly objective: string
  /** Null: the limit of the level. */
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  readonly pool: string | null
  readonly licenseType: LicenseType | null
}

/** The configuration of a PUT. Omitted fields get their defaults, or the values of the database that is copied or restored. */
export function readDesired(
  body: DatabaseInput,
  scope: ServerScope,
  source?: Pick<DesiredConfiguration, 'objective' | 'maxSizeBytes'>,
): DesiredConfiguration {
  const { properties = {}, sku, tags = {} } = body
  const pool = properties.elasticPoolId === undefined ? null : readPoolId(properties.elasticPoolId, scope)
  const fallback = pool === null ? copiedObjective(source) : pooledObjective
  return checked({
    tags,
    pool,
    objective: sku ? readSku(sku).objective : fallback,
    maxSizeBytes: properties.maxSizeBytes ?? source?.maxSizeBytes ?? null,
    maxConnections: properties.maxConnections ?? null,
    licenseType: properties.licenseType ?? null,
  })
}

/** Neither joins its source's pool by default. */
const copiedObjective = (source: Pick<DesiredConfiguration, 'objective'> | undefined) =>
  source && source.objective !== pooledObjective ? source.objective : defaultObjective

/** The configuration after a PATCH. A sku other than ElasticPool removes the database from its pool. */
export function updateDesired(
  before: DesiredConfiguration,
  body: DatabaseUpdate,
  scope: ServerScope,
): DesiredConfiguration {
  const { properties = {}, sku, tags = before.tags } = body
  const level = sku && readSku(sku)
  const newPool = properties.elasticPoolId === undefined ? undefined : readPoolId(properties.elasticPoolId, scope)
  const leavesPool = level !== undefined && level.objective !== pooledObjective
  const pool = newPool ?? (leavesPool ? null : before.pool)
  return checked({
    tags,
    pool,
    objective: level?.objective ?? (newPool === undefined ? before.objective : pooledObjective),
    maxSizeBytes: properties.maxSizeBytes ?? before.maxSizeBytes ?? sizeAfter(before, level),
    maxConnections: properties.maxConnections ?? before.maxConnections,
    licenseType: properties.licenseType ?? before.licenseType,
  })
}

/** A database keeps its size at a larger level: tools send it back at the next change, also to a smaller level. */
function sizeAfter({ objective, pool }: DesiredConfiguration, level: Level | undefined): number | null {
  const { maxSizeBytes } = levelOf(objective)
  return level && pool === null && maxSizeBytes < level.maxSizeBytes ? maxSizeBytes : null
}

function checked(desired: DesiredConfiguration): DesiredConfiguration {
  const { pool, objective, maxSizeBytes, maxConnections } = desired
  const { maxSizeBytes: maxSize, connections = Number.POSITIVE_INFINITY } = levelOf(objective)
  if ((pool === null) === (objective === pooledObjective))
    throw new Failure(
      'invalid',
      `A database in a pool has the sku ${pooledObjective} and an elasticPoolId: set both or neither.`,
      {
        code: 'ElasticPoolSkuCombinationInvalid',
      },
    )
  if (maxSizeBytes !== null && maxSizeBytes > maxSize)
    throw new Failure('invalid', `${objective} allows at most ${maxSize} bytes: request less, or choose another sku.`, {
      code: 'InvalidMaxSizeTierCombination',
    })
  if (maxConnections !== null && maxConnections > connections)
    invalid([
      { at: 'body/properties/maxConnections', message: `must be at most ${connections}, the limit of ${objective}` },
    ])
  return desired
}

/** The limits of a database on the SQL host. */
export function limitsOf(
  { objective, maxSizeBytes, maxConnections }: DesiredConfiguration,
  pool: PoolLimits | undefined,
): { readonly level: Level; readonly connections: number; readonly maxSizeBytes: number } {
  const level = levelOf(objective)
  const { connectionsEach: max = Number.POSITIVE_INFINITY, maxSizeBytes: maxSize = level.maxSizeBytes } = pool ?? {}
  return {
    level,
    connections: Math.min(maxConnections ?? level.connections ?? max, max),
    maxSizeBytes: Math.min(maxSizeBytes ?? level.maxSizeBytes, maxSize),
  }
}

/** Whether the change has no effect on the SQL host. A limit equal to that of the level or the pool counts as none. */
export function sameLimits(
  a: DesiredConfiguration & { readonly poolSettings: PoolSettings | null },
  b: DesiredConfiguration,
): boolean {
  const pool = poolOf(a)
  const limits = (desired: DesiredConfiguration) => {
    const { level, connections, maxSizeBytes } = limitsOf(desired, pool)
    return JSON.stringify([level.objective, connections, maxSizeBytes, desired.pool?.toLowerCase()])
  }
  return limits(a) === limits(b)
}

export const sameLabels = (a: DesiredConfiguration, b: DesiredConfiguration) =>
  a.licenseType === b.licenseType && sortedJson(a.tags) === sortedJson(b.tags)

const sortedJson = (tags: DesiredConfiguration['tags']) => JSON.stringify(Object.entries(tags).sort())
