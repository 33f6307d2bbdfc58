import { Failure } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import type { Sku } from '../databases/contract.ts'
import { unsupported } from '../unsupported.ts'

/** A service level: the sku that a caller requests, and its limits on the SQL host. */
export interface Level {
  /** Its unique short name: `S1`, `BC_Gen4_2`, `DW100c`, `ElasticPool`. */
  readonly objective: string
  readonly sku: Sku
  /** Maximum number of connections; undefined: the elastic pool's. */
  readonly connections: number | undefined
  /** Maximum and default size. */
  readonly maxSizeBytes: number
}

export const defaultObjective = 'S0'
export const pooledObjective = 'ElasticPool'

const gigabyte = 1024 ** 3

/** Levels of a tier differ by capacity: `S1` is Standard with a capacity of 20. */
interface Tier {
  readonly capacities: Readonly<Record<string, number>>
  /** Of the first level, and the increment of each further one. */
  readonly connections: readonly [number, number]
  readonly gigabytes: number
}

const byCapacity: Readonly<Record<string, Tier>> = {
  Free: { capacities: { Free: 5 }, connections: [2, 0], gigabytes: 1 / 32 },
  Basic: { capacities: { Basic: 5 }, connections: [5, 0], gigabytes: 2 },
  Standard: {
    capacities: { S0: 10, S1: 20, S2: 50, S3: 100, S4: 200, S6: 400, S7: 800, S9: 1_600, S12: 3_000 },
    connections: [10, 5],
    gigabytes: 250,
  },
  Premium: {
    capacities: { P1: 125, P2: 250, P4: 500, P6: 1_000, P11: 1_750, P15: 4_000 },
    connections: [60, 20],
    gigabytes: 1_024,
  },
}

/** Tiers priced by cores: `GP_Gen5_2`. */
const byCores: Readonly<Record<string, { tier: string; perCore: number; gigabytes: number }>> = {
  GP: { tier: 'GeneralPurpose', perCore: 10, gigabytes: 4_096 },
  BC: { tier: 'BusinessCritical', perCore: 15, gigabytes: 4_096 },
  HS: { tier: 'Hyperscale', perCore: 20, gigabytes: 102_400 },
}

/** The level of a stored objective. */
export function levelOf(objective: string): Level {
  const level = fixed(objective) ?? warehouse(objective) ?? coreLevel(objective)
  if (!level) throw new Error(`there is no service level ${objective}`)
  return level
}

/** The level of a sku. Its parts must not contradict each other. */
export function readSku({ name, tier, capacity, family, size }: Sku): Level {
  if (/^GP_S(_|$)/i.test(name)) notSupported(unsupported.serverless, `The sku ${name}`)
  const [, kind, generation = family ?? 'Gen5', count = String(capacity ?? 2)] =
    /^(GP|BC|HS)(?:_(Gen[45]))?(?:_(\d{1,2}))?$/i.exec(name) ?? []
  const objective = kind ? `${kind}_${generation}_${count}` : (ofTier(name, capacity) ?? name)
  const level = fixed(objective) ?? warehouse(objective) ?? coreLevel(objective)
  if (!level)
    refuse('InvalidSkuName', `The sku '${name}' is unknown: use one such as Basic, S1, P1, GP_Gen5_2, DW100c.`)
  const wrong = (part: string, code: string) => refuse(code, `The ${part} of the sku does not match its name ${name}.`)
  // The tier of a pooled database is checked with its pool.
  if (level.objective !== pooledObjective && differs(tier, level.sku.tier)) wrong('tier', 'MismatchedSkuNameAndTier')
  if (capacity !== undefined && capacity !== level.sku.capacity) wrong('capacity', 'MismatchedSkuNameAndCapacity')
  if (differs(family, level.sku.family)) wrong('family', 'MismatchedSkuNameAndFamily')
  if (differs(size, level.sku.name) && differs(size, level.objective)) wrong('size', 'InvalidSku')
  return level
}

const differs = (requested: string | undefined, actual: string | undefined) =>
  requested !== undefined && requested.toLowerCase() !== actual?.toLowerCase()

function refuse(code: string, message: string): never {
  throw new Failure('invalid', message, { code })
}

/** The objective if the name is a tier, as in the original's responses; otherwise undefined. */
function ofTier(name: string, capacity: number | undefined): string | undefined {
  if (!differs(name, warehouseTier)) return `DW${(capacity ?? 100 * secondUnit) / secondUnit}c`
  const tier = Object.entries(byCapacity).find(([tierName]) => !differs(name, tierName))?.[1]
  if (!tier) return undefined
  const levels = Object.entries(tier.capacities)
  const level = capacity === undefined ? levels[0] : levels.find(([, candidate]) => candidate === capacity)
  if (level) return level[0]
  const offered = levels.map(([, offer]) => offer).join(', ')
  return refuse('UnsupportedCapacity', `The tier ${name} has no capacity of ${capacity}: use ${offered}.`)
}

/** Levels with a name of their own. */
function fixed(objective: string): Level | undefined {
  if (!differs(objective, pooledObjective))
    return {
      objective: pooledObjective,
      sku: { name: pooledObjective, tier: 'Standard', capacity: 0 },
      connections: undefined,
      maxSizeBytes: 1_024 * gigabyte,
    }
  for (const [tier, { capacities, connections, gigabytes }] of Object.entries(byCapacity)) {
    const names = Object.keys(capacities)
    const index = names.findIndex((candidate) => !differs(objective, candidate))
    const name = names[index]
    if (name === undefined) continue
    return {
      objective: name,
      sku: { name: tier, tier, capacity: capacities[name] ?? 0 },
      connections: connections[0] + connections[1] * index,
      maxSizeBytes: gigabytes * gigabyte,
    }
  }
  return undefined
}

const warehouseTier = 'DataWarehouse'
/** The capacity of one warehouse unit, in each generation. */
const firstUnit = 7.5
const secondUnit = 9

/** `DW100` is first generation, `DW100c` second. */
function warehouse(objective: string): Level | undefined {
  const [, units, second] = /^DW(\d{3,5})(c?)$/i.exec(objective) ?? []
  const size = Number(units)
  if (units === undefined || units.startsWith('0') || size % 100 !== 0 || size > 30_000) return undefined
  const name = `DW${units}${second?.toLowerCase()}`
  return {
    objective: name,
    sku: { name, tier: warehouseTier, capacity: size * (second ? secondUnit : firstUnit) },
    connections: second ? size / 10 : size / 25,
    maxSizeBytes: (second ? 245_760 : 10_240) * gigabyte,
  }
}

export const isWarehouse = ({ sku }: Level) => sku.tier === warehouseTier

/** The same warehouse in the second generation; undefined if it already is. */
export function upgraded({ objective }: Level): Level | undefined {
  return objective.endsWith('c') ? undefined : warehouse(`${objective}c`)
}

export function coreLevel(objective: string): Level | undefined {
  const [, prefix = '', generation = '', count] = /^([A-Z]{2})_(Gen[45])_(\d{1,2})$/i.exec(objective) ?? []
  const kind = prefix.toUpperCase()
  const family = generation.replace(/^g/, 'G').replace('EN', 'en')
  const { tier, perCore, gigabytes } = byCores[kind] ?? {}
  const capacity = Number(count)
  if (!tier || !perCore || !gigabytes || capacity < 1 || capacity > 80) return undefined
  return {
    objective: `${kind}_${family}_${capacity}`,
    sku: { name: `${kind}_${family}`, tier, family, capacity },
    connections: capacity * perCore,
    maxSizeBytes: gigabytes * gigabyte,
  }
}
