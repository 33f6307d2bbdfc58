import { type Detail, invalid } from '@icosa/kernel'
import type { Configuration } from '../groups/contract.ts'
import { applicationGroup, capacityPool, generic, hostManagement, memberTypes, neutralTypes } from '../names.ts'
import type { Types } from '../queries/read.ts'

type Item = Configuration[number]

/** What the values of a parameter look like, and how many there may be. */
interface Rule {
  readonly values: RegExp
  readonly says: string
  readonly single?: true
}

const flag: Rule = { values: /^(true|false)$/, says: 'true or false', single: true }
const types: Rule = { values: /^[a-zA-Z][\w.:/-]*$/, says: 'types of resources' }

/** The types of configurations, each with its parameters. */
const parameters: ReadonlyMap<string, ReadonlyMap<string, Rule>> = new Map([
  [
    generic,
    new Map([
      ['allowed-resource-types', types],
      ['deletion-protection', { values: /^UNLESS_EMPTY$/, says: 'UNLESS_EMPTY', single: true }],
    ]),
  ],
  [
    hostManagement,
    new Map([
      ['allowed-resource-types', types],
      ['allowed-host-families', { values: /^[a-z0-9-]+$/, says: 'families of hosts such as m5' }],
      ['allowed-host-based-license-configurations', { values: /^arn:/, says: 'ARNs' }],
      ['any-host-based-license-configuration', flag],
      ['auto-allocate-host', flag],
      ['auto-release-host', flag],
    ]),
  ],
  [capacityPool, new Map([['allowed-resource-types', types]])],
  [applicationGroup, new Map()],
])

/** The types of configurations whose groups hold what was put into them. */
export const holders = [hostManagement, capacityPool, applicationGroup]

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** A type in the words that are kept and shown. */
export const canonicalType = (type: string) => neutralTypes.get(type) ?? type

const at = 'body/Configuration'

/** A configuration that keeps the rules of its types, in the names that are shown. */
export function checkedConfiguration(given: Configuration): Configuration {
  const items = given.map((item) => ({ ...item, Type: canonicalType(item.Type) }))
  const wrong = [...items.flatMap(wrongInItem), ...wrongTogether(items)]
  if (wrong.length > 0) invalid(wrong)
  return items
}

function wrongInItem({ Type, Parameters = [] }: Item, index: number): Detail[] {
  const known = parameters.get(Type)
  const place = `${at}/${index}`
  if (!known) return [{ at: `${place}/Type`, message: `must be one of ${[...parameters.keys()].join(', ')}` }]
  const names = Parameters.map(({ Name }) => Name)
  const repeated = names.filter((name, first) => names.indexOf(name) !== first)
  return [
    ...repeated.map((name) => ({ at: `${place}/Parameters`, message: `has ${name} twice` })),
    ...Parameters.flatMap(({ Name, Values = [] }, number) => {
      const rule = known.get(Name)
      const inside = `${place}/Parameters/${number}`
      if (!rule) return [{ at: `${inside}/Name`, message: `must be one of ${[...known.keys()].join(', ')}` }]
      const fits =
        Values.length > 0 && (!rule.single || Values.length === 1) && Values.every((value) => rule.values.test(value))
      return fits ? [] : [{ at: `${inside}/Values`, message: `must be ${rule.says}` }]
    }),
  ]
}

function wrongTogether(items: readonly Item[]): Detail[] {
  const kinds = items.map(({ Type }) => Type)
  if (new Set(kinds).size < kinds.length) return [{ at, message: 'must not have a type twice' }]
  const held = kinds.filter((kind) => holders.includes(kind))
  if (held.length > 1) return [{ at, message: `must have ${held.join(' or ')}, not both` }]
  const [only] = held.flatMap((kind) => memberTypes.get(kind) ?? [])
  const others = valuesOf(items, 'allowed-resource-types').filter((type) => !isSame(type, only ?? type))
  if (others.length > 0)
    return [{ at, message: `must not allow ${others.join(', ')}: groups of ${held} hold nothing but ${only}` }]
  const anyLicense = valuesOf(items, 'any-host-based-license-configuration').includes('true')
  const licenses = valuesOf(items, 'allowed-host-based-license-configurations')
  return anyLicense && licenses.length > 0 ? [{ at, message: 'must allow any license or certain ones, not both' }] : []
}

function valuesOf(items: readonly Item[], parameter: string): string[] {
  return items.flatMap(({ Parameters = [] }) =>
    Parameters.flatMap(({ Name, Values = [] }) => (Name === parameter ? Values : [])),
  )
}

/** Whether resources are put into the group by hand. */
export function isStatic(configuration: Configuration | null): boolean {
  return configuration?.some(({ Type }) => holders.includes(Type)) ?? false
}

/** Whether tasks may put resources into the group. */
export function isApplication(configuration: Configuration | null): boolean {
  return configuration?.some(({ Type }) => Type === applicationGroup) ?? false
}

/** The types that members may have, in lower case: where two items say it, those that both name. */
export function allowedTypes(configuration: Configuration | null): Types {
  if (!configuration || !isStatic(configuration)) return []
  const fixed = configuration.map(({ Type }) => [memberTypes.get(Type) ?? []].flat())
  const named = configuration.map((item) => valuesOf([item], 'allowed-resource-types'))
  const lists = [...fixed, ...named].filter(({ length }) => length > 0)
  const [first, ...others] = lists.map((list) => list.map((type) => type.toLowerCase()))
  return first ? first.filter((type) => others.every((other) => other.includes(type))) : 'all'
}

export function isProtected(configuration: Configuration | null): boolean {
  return valuesOf(configuration ?? [], 'deletion-protection').length > 0
}

/** Why a group with members of these types cannot have a configuration; undefined if it can. */
export function objection(configuration: Configuration, memberTypes: readonly string[]): string | undefined {
  if (memberTypes.length === 0) return undefined
  if (!isStatic(configuration))
    return `The group has members, which only ${holders.join(', ')} take: ungroup them first.`
  const allowed = allowedTypes(configuration)
  const foreign = memberTypes.filter((type) => allowed !== 'all' && !allowed.includes(type.toLowerCase()))
  return foreign.length === 0
    ? undefined
    : `The group has members of types that would not be allowed: ${foreign.join(', ')}. Ungroup them first.`
}
