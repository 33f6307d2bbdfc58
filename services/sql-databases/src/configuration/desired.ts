import { Failure, invalid } from '@icosa/kernel'
import type { DatabaseInput, DatabaseUpdate, LicenseType } from '../databases/contract.ts'
import { readPoolId, type ServerScope } from '../databases/scope.ts'
import { type PoolLimits, type PoolSettings, poolOf } from '../pools/limits.ts'
import { defaultObjective, type Level, levelOf, pooledObjective, readSku } from './levels.ts'

/** What a caller can decide about a database and change later. */
export interface DesiredConfiguration {
  readonly tags: Readonly<Record<string, string>>
  readonly objective: string
  /** Null: as much as the level gives. */
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  readonly pool: string | null
  readonly licenseType: LicenseType | null
}

/** All that a PUT asks for. What it leaves out has its default, or is taken from the database that is copied. */
export function readDesired(
  body: DatabaseInput,
  scope: ServerScope,
  source?: DesiredConfiguration,
): DesiredConfiguration {
  const { properties = {}, sku, tags = {} } = body
  const pool = properties.elasticPoolId === undefined ? null : readPoolId(properties.elasticPoolId, scope)
  const fallback = pool === null ? copied(source) : pooledObjective
  return checked({
    tags,
    pool,
    objective: sku ? readSku(sku).objective : fallback,
    maxSizeBytes: properties.maxSizeBytes ?? source?.maxSizeBytes ?? null,
    maxConnections: properties.maxConnections ?? null,
    licenseType: properties.licenseType ?? null,
  })
}

/** A copy does not join the pool of its source unasked. */
const copied = (source: DesiredConfiguration | undefined) =>
  source && source.objective !== pooledObjective ? source.objective : defaultObjective

/** The configuration after a PATCH. A sku other than the pool's takes the database out of the pool. */
export function updateDesired(
  before: DesiredConfiguration,
  body: DatabaseUpdate,
  scope: ServerScope,
): DesiredConfiguration {
  const { properties = {}, sku, tags = before.tags } = body
  const level = sku && readSku(sku)
  const joined = properties.elasticPoolId === undefined ? undefined : readPoolId(properties.elasticPoolId, scope)
  const leaves = level !== undefined && level.objective !== pooledObjective
  const pool = joined ?? (leaves ? null : before.pool)
  return checked({
    tags,
    pool,
    objective: level?.objective ?? (joined === undefined ? before.objective : pooledObjective),
    maxSizeBytes: properties.maxSizeBytes ?? before.maxSizeBytes,
    maxConnections: properties.maxConnections ?? before.maxConnections,
    licenseType: properties.licenseType ?? before.licenseType,
  })
}

function checked(desired: DesiredConfiguration): DesiredConfiguration {
  const { pool, objective, maxSizeBytes, maxConnections } = desired
  const { maxSizeBytes: largest, connections = Number.POSITIVE_INFINITY } = levelOf(objective)
  if ((pool === null) === (objective === pooledObjective))
    throw new Failure(
      'invalid',
      `A database in a pool has the sku ${pooledObjective} and an elasticPoolId: set both or neither.`,
      {
        code: 'ElasticPoolSkuCombinationInvalid',
      },
    )
  if (maxSizeBytes !== null && maxSizeBytes > largest)
    throw new Failure('invalid', `${objective} allows at most ${largest} bytes: ask for less, or choose another sku.`, {
      code: 'InvalidMaxSizeTierCombination',
    })
  if (maxConnections !== null && maxConnections > connections)
    invalid([
      { at: 'body/properties/maxConnections', message: `must be at most ${connections}, the limit of ${objective}` },
    ])
  return desired
}

/** The limits that the SQL host is given. */
export function limitsOf(
  { objective, maxSizeBytes, maxConnections }: DesiredConfiguration,
  pool: PoolLimits | undefined,
): { readonly level: Level; readonly connections: number; readonly maxSizeBytes: number } {
  const level = levelOf(objective)
  const { connectionsEach: most = Number.POSITIVE_INFINITY, maxSizeBytes: largest = level.maxSizeBytes } = pool ?? {}
  return {
    level,
    connections: Math.min(maxConnections ?? level.connections ?? most, most),
    maxSizeBytes: Math.min(maxSizeBytes ?? level.maxSizeBytes, largest),
  }
}

/** Whether the SQL host has nothing to do for the change. A limit equal to the level's or the pool's own counts as none. */
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
