import { Failure, invalid } from '@icosa/kernel'
import { coreLevel } from '../configuration/levels.ts'
import type { Sku } from '../databases/contract.ts'

/** Limits of an elastic pool, for all its databases together. */
export interface PoolLevel {
  /** `StandardPool_100`, `GP_Gen5_4`. */
  readonly objective: string
  readonly sku: Required<Pick<Sku, 'name' | 'tier' | 'capacity'>> & Pick<Sku, 'family'>
  readonly connections: number
  readonly maxSizeBytes: number
}

const gigabyte = 1024 ** 3

/** Priced by capacity; each unit is a connection. */
const byCapacity: Readonly<Record<string, { tier: string; capacities: readonly number[]; gigabytes: number }>> = {
  BasicPool: { tier: 'Basic', capacities: [50, 100, 200, 300, 400, 800, 1_200, 1_600], gigabytes: 156 },
  StandardPool: {
    tier: 'Standard',
    capacities: [50, 100, 200, 300, 400, 800, 1_200, 1_600, 2_000, 2_500, 3_000],
    gigabytes: 4_096,
  },
  PremiumPool: {
    tier: 'Premium',
    capacities: [125, 250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 3_500, 4_000],
    gigabytes: 4_096,
  },
}

export const defaultPoolSku: Sku = { name: 'StandardPool', capacity: 100 }

/** The level of a stored objective. */
export function poolLevelOf(objective: string): PoolLevel {
  const [, name = '', capacity] = /^(.+)_(\d+)$/.exec(objective) ?? []
  const level = byName(name, Number(capacity)) ?? withCores(objective)
  if (!level) throw new Error(`there is no elastic pool level ${objective}`)
  return level
}

/** The level of a sku. Its parts must not contradict each other. */
export function readPoolSku({ name, tier, capacity, family, size }: Sku): PoolLevel {
  const poolName = Object.keys(byCapacity).find((candidate) => candidate.toLowerCase() === name.toLowerCase())
  const count = capacity ?? (poolName ? (byCapacity[poolName]?.capacities[0] ?? 0) : 2)
  const level = poolName ? byName(poolName, count) : withCores(withFamily(name, family, count))
  if (!level)
    throw new Failure(
      'invalid',
      `The sku '${name}' with a capacity of ${count} is unknown: use one such as StandardPool with 100, or GP_Gen5 with 2.`,
      { code: poolName ? 'UnsupportedCapacity' : 'InvalidSkuName' },
    )
  const differs = (requested: string | undefined, actual: string | undefined) =>
    requested !== undefined && requested.toLowerCase() !== actual?.toLowerCase()
  if (differs(tier, level.sku.tier)) mismatch('Tier', name)
  if (differs(family, level.sku.family)) mismatch('Family', name)
  if (size !== undefined) invalid([{ at: 'body/sku/size', message: 'must be left out: an elastic pool has none' }])
  return level
}

function mismatch(part: string, name: string): never {
  throw new Failure('invalid', `The ${part.toLowerCase()} of the sku does not match its name ${name}.`, {
    code: `MismatchedSkuNameAnd${part}`,
  })
}

/** `GP` and `GP_Gen5` with a capacity, or `GP_Gen5_2`. */
function withFamily(name: string, family = 'Gen5', capacity: number): string {
  if (/_\d+$/.test(name)) return name
  return /_Gen\d/i.test(name) ? `${name}_${capacity}` : `${name}_${family}_${capacity}`
}

function byName(name: string, capacity: number): PoolLevel | undefined {
  const { tier, capacities, gigabytes } = byCapacity[name] ?? {}
  if (!tier || !gigabytes || !capacities?.includes(capacity)) return undefined
  return {
    objective: `${name}_${capacity}`,
    sku: { name, tier, capacity },
    connections: capacity,
    maxSizeBytes: gigabytes * gigabyte,
  }
}

function withCores(objective: string): PoolLevel | undefined {
  const level = coreLevel(objective)
  const { name = '', tier, capacity, family } = level?.sku ?? {}
  if (!level?.connections || !tier || !family || !capacity || name.startsWith('HS')) return undefined
  const { connections, maxSizeBytes } = level
  return { objective: level.objective, sku: { name, tier, family, capacity }, connections, maxSizeBytes }
}
