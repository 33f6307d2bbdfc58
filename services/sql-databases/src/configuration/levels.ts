import { Failure } from '@icosa/kernel'
import type { Sku } from '../databases/contract.ts'

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
const standard = ['S0', 'S1', 'S2', 'S3', 'S4', 'S6', 'S7', 'S9', 'S12']
const premium = ['P1', 'P2', 'P4', 'P6', 'P11', 'P15']

/** Tiers that are bought by cores: `GP_Gen5_2`. */
const byCores: Readonly<Record<string, { tier: string; perCore: number; gigabytes: number }>> = {
  GP: { tier: 'GeneralPurpose', perCore: 10, gigabytes: 4_096 },
  BC: { tier: 'BusinessCritical', perCore: 15, gigabytes: 4_096 },
  HS: { tier: 'Hyperscale', perCore: 20, gigabytes: 102_400 },
}

/** The level of an objective that was read from a sku before. */
export function levelOf(objective: string): Level {
  const found = fixed(objective) ?? warehouse(objective) ?? cores(objective)
  if (!found) throw new Error(`no service level is called ${objective}`)
  return found
}

/** The level that a sku asks for. Its parts must not contradict each other. */
export function readSku({ name, tier, capacity, family, size }: Sku): Level {
  if (/^GP_S(_|$)/i.test(name))
    throw new Failure('notImplemented', `The sku ${name} is serverless, which is not built. Use GP_Gen5.`)
  const [, kind, generation = family ?? 'Gen5', count = String(capacity ?? 2)] =
    /^(GP|BC|HS)(?:_(Gen[45]))?(?:_(\d{1,2}))?$/i.exec(name) ?? []
  const objective = kind ? `${kind}_${generation}_${count}` : name
  const level = fixed(objective) ?? warehouse(objective) ?? cores(objective)
  if (!level)
    refuse('InvalidSkuName', `The sku '${name}' is unknown: use one such as Basic, S1, P1, GP_Gen5_2, DW100c.`)
  const wrong = (part: string, code: string) => refuse(code, `The ${part} of the sku does not match its name ${name}.`)
  if (differs(tier, level.sku.tier)) wrong('tier', 'MismatchedSkuNameAndTier')
  if (capacity !== undefined && capacity !== level.sku.capacity) wrong('capacity', 'MismatchedSkuNameAndCapacity')
  if (differs(family, level.sku.family)) wrong('family', 'MismatchedSkuNameAndFamily')
  if (differs(size, level.sku.name)) wrong('size', 'InvalidSku')
  return level
}

const differs = (said: string | undefined, real: string | undefined) =>
  said !== undefined && said.toLowerCase() !== real?.toLowerCase()

function refuse(code: string, message: string): never {
  throw new Failure('invalid', message, { code })
}

/** Levels that have a name each. */
function fixed(objective: string): Level | undefined {
  const level = (name: string, tier: string, connections: number | undefined, gigabytes: number): Level => ({
    objective: name,
    sku: { name, tier },
    connections,
    maxSizeBytes: gigabytes * gigabyte,
  })
  const asked = objective.toUpperCase()
  if (asked === 'FREE') return level('Free', 'Free', 2, 1 / 32)
  if (asked === 'BASIC') return level('Basic', 'Basic', 5, 2)
  if (asked === pooledObjective.toUpperCase()) return level(pooledObjective, 'Standard', undefined, 1_024)
  if (standard.includes(asked)) return level(asked, 'Standard', 10 + 5 * standard.indexOf(asked), 250)
  if (premium.includes(asked)) return level(asked, 'Premium', 60 + 20 * premium.indexOf(asked), 1_024)
  return undefined
}

/** `DW100` is of the first generation, `DW100c` of the second. */
function warehouse(objective: string): Level | undefined {
  const [, units, second] = /^DW(\d{3,5})(c?)$/i.exec(objective) ?? []
  const size = Number(units)
  if (units === undefined || units.startsWith('0') || size % 100 !== 0 || size > 30_000) return undefined
  const name = `DW${units}${second?.toLowerCase()}`
  return {
    objective: name,
    sku: { name, tier: 'DataWarehouse' },
    connections: second ? size / 10 : size / 25,
    maxSizeBytes: (second ? 245_760 : 10_240) * gigabyte,
  }
}

export const isWarehouse = ({ sku }: Level) => sku.tier === 'DataWarehouse'

/** The same warehouse in the second generation; undefined if it is there. */
export function upgraded({ objective }: Level): Level | undefined {
  return objective.endsWith('c') ? undefined : warehouse(`${objective}c`)
}

function cores(objective: string): Level | undefined {
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
