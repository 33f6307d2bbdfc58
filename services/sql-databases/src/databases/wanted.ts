import { Failure, invalid, isStorable } from '@icosa/kernel'
import type { DatabaseInput, DatabaseUpdate, LicenseType } from './contract.ts'
import { defaultObjective, type Level, levelOf, pooledObjective, readSku } from './levels.ts'
import { readPoolId, type ServerScope } from './scope.ts'

/** What a caller can decide about a database and change later. */
export interface Wanted {
  readonly tags: Readonly<Record<string, string>>
  readonly objective: string
  /** Null: as much as the level gives. */
  readonly maxSizeBytes: number | null
  readonly maxConnections: number | null
  readonly pool: string | null
  readonly licenseType: LicenseType | null
}

/** All that a PUT asks for. What it leaves out has its default, or is taken from the database that is copied. */
export function wantedBy(body: DatabaseInput, scope: ServerScope, source?: Wanted): Wanted {
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
const copied = (source: Wanted | undefined) =>
  source && source.objective !== pooledObjective ? source.objective : defaultObjective

/** What a PATCH changes of what was wanted before. Another sku than the pool's leaves the pool. */
export function wantedNow(before: Wanted, body: DatabaseUpdate, scope: ServerScope): Wanted {
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

function checked(wanted: Wanted): Wanted {
  const { tags, pool, objective, maxSizeBytes, maxConnections } = wanted
  const { maxSizeBytes: largest, connections = Number.POSITIVE_INFINITY } = levelOf(objective)
  for (const text of Object.entries(tags).flat())
    if (!isStorable(text)) invalid([{ at: 'body/tags', message: 'must be text' }])
  if ((pool === null) === (objective === pooledObjective))
    throw new Failure('invalid', `A pool goes with the sku ${pooledObjective}, and that with elasticPoolId.`, {
      code: 'ElasticPoolSkuCombinationInvalid',
    })
  if (maxSizeBytes !== null && maxSizeBytes > largest)
    throw new Failure('invalid', `${objective} gives at most ${largest} bytes: ask for less or for another sku.`, {
      code: 'InvalidMaxSizeTierCombination',
    })
  if (maxConnections !== null && maxConnections > connections)
    invalid([
      { at: 'body/properties/maxConnections', message: `must be at most ${connections}, as ${objective} gives` },
    ])
  return wanted
}

/** The limits that the SQL host is given. */
export function limitsOf(
  { objective, maxSizeBytes, maxConnections }: Wanted,
  pool: { readonly connections: number },
): { readonly level: Level; readonly connections: number; readonly maxSizeBytes: number } {
  const level = levelOf(objective)
  return {
    level,
    connections: maxConnections ?? level.connections ?? pool.connections,
    maxSizeBytes: maxSizeBytes ?? level.maxSizeBytes,
  }
}

/** Whether the SQL host has nothing to do for the change. A limit that says what the level gives anyway is none. */
export function sameLimits(a: Wanted, b: Wanted): boolean {
  const told = (wanted: Wanted) => {
    const { level, connections, maxSizeBytes } = limitsOf(wanted, { connections: Number.POSITIVE_INFINITY })
    return JSON.stringify([level.objective, connections, maxSizeBytes, wanted.pool?.toLowerCase()])
  }
  return told(a) === told(b)
}

export const sameLabels = (a: Wanted, b: Wanted) =>
  a.licenseType === b.licenseType && sortedJson(a.tags) === sortedJson(b.tags)

const sortedJson = (tags: Wanted['tags']) => JSON.stringify(Object.entries(tags).sort())
