import { Failure } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import type { Sku } from '../databases/contract.ts'
import { unsupported } from '../unsupported.ts'

/** A service level: what a caller asks for by its sku, and what the SQL host makes of it. */
export interface Level {
  /** Its short name, which says all: `S1`, `BC_Gen4_2`, `DW100c`, `ElasticPool`. */
  readonly objective: string
  readonly sku: Sku
  /** How many connections at a time; undefined: what the elastic pool gives. */
  readonly connections: number | undefined
  /** The largest size that can be asked for, and what is given if none is. */
  readonly maxSizeBytes: number
}

export const defaultObjective = 'S0'
export const pooledObjective = 'ElasticPool'

const gigabyte = 1024 ** 3

/** Levels of a tier that are told apart by their capacity: `S1` and Standard with a capacity of 20 are the same. */
interface Tier {
  readonly capacities: Readonly<Record<string, number>>
  /** Of the first level, and how many more each of the next has. */
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

/** Tiers that are bought by cores: `GP_Gen5_2`. */
const byCores: Readonly<Record<string, { tier: string; perCore: number; gigabytes: number }>> = {
  GP: { tier: 'GeneralPurpose', perCore: 10, gigabytes: 4_096 },
  BC: { tier: 'BusinessCritical', perCore: 15, gigabytes: 4_096 },
  HS: { tier: 'Hyperscale', perCore: 20, gigabytes: 102_400 },
}

/** The level of an objective that was read from a sku before. */
export function levelOf(objective: string): Level {
  const found = fixed(objective) ?? warehouse(objective) ?? coreLevel(objective)
  if (!found) throw new Error(`no service level is called ${objective}`)
  return found
}

/** The level that a sku asks for. Its parts must not contradict each other. */
export function readSku({ name, tier, capacity, family, size }: Sku): Level {
  if (/^GP_S(_|$)/i.test(name)) notBuilt(unsupported.serverless, `The sku ${name}`)
  const [, kind, generation = family ?? 'Gen5', count = String(capacity ?? 2)] =
    /^(GP|BC|HS)(?:_(Gen[45]))?(?:_(\d{1,2}))?$/i.exec(name) ?? []
  const objective = kind ? `${kind}_${generation}_${count}` : (ofTier(name, capacity) ?? name)
  const level = fixed(objective) ?? warehouse(objective) ?? coreLevel(objective)
  if (!level)
    refuse('InvalidSkuName', `The sku '${name}' is unknown: use one such as Basic, S1, P1, GP_Gen5_2, DW100c.`)
  const wrong = (part: string, code: string) => refuse(code, `The ${part} of the sku does not match its name ${name}.`)
  // The tier of a pool is known where the pool is.
  if (level.objective !== pooledObjective && differs(tier, level.sku.tier)) wrong('tier', 'MismatchedSkuNameAndTier')
  if (capacity !== undefined && capacity !== level.sku.capacity) wrong('capacity', 'MismatchedSkuNameAndCapacity')
  if (differs(family, level.sku.family)) wrong('family', 'MismatchedSkuNameAndFamily')
  if (differs(size, level.sku.name) && differs(size, level.objective)) wrong('size', 'InvalidSku')
  return level
}

const differs = (said: string | undefined, real: string | undefined) =>
  said !== undefined && said.toLowerCase() !== real?.toLowerCase()

function refuse(code: string, message: string): never {
  throw new Failure('invalid', message, { code })
}

/** The objective where the name says the tier, as its maker's own answers do; undefined where it says more. */
function ofTier(name: string, capacity: number | undefined): string | undefined {
  if (!differs(name, warehouseTier)) return `DW${(capacity ?? 100 * secondUnit) / secondUnit}c`
  const tier = Object.entries(byCapacity).find(([one]) => !differs(name, one))?.[1]
  if (!tier) return undefined
  const all = Object.entries(tier.capacities)
  const found = capacity === undefined ? all[0] : all.find(([, one]) => one === capacity)
  if (found) return found[0]
  const offered = all.map(([, one]) => one).join(', ')
  return refuse('UnsupportedCapacity', `The tier ${name} has no capacity of ${capacity}: use ${offered}.`)
}

/** Levels that have a name each. */
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
    const index = names.findIndex((one) => !differs(objective, one))
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

/** `DW100` is of the first generation, `DW100c` of the second. */
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

/** The same warehouse in the second generation; undefined if it is there. */
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
