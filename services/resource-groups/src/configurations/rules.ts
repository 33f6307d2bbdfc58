import { type Detail, invalid } from '@icosa/kernel'
import type { Configuration } from '../groups/contract.ts'
import { applicationGroup, capacityPool, generic, hostManagement, memberTypes, neutralTypes } from '../names.ts'
import type { Types } from '../queries/read.ts'

type Item = Configuration[number]

interface Rule {
  readonly values: RegExp
  readonly description: string
  readonly single?: true
}

const flag: Rule = { values: /^(true|false)$/, description: 'true or false', single: true }
const types: Rule = { values: /^[a-zA-Z][\w.:/-]*$/, description: 'types of resources' }

/** Parameters by configuration type. */
const parameters: ReadonlyMap<string, ReadonlyMap<string, Rule>> = new Map([
  [
    generic,
    new Map([
      ['allowed-resource-types', types],
      ['deletion-protection', { values: /^UNLESS_EMPTY$/, description: 'UNLESS_EMPTY', single: true }],
    ]),
  ],
  [
    hostManagement,
    new Map([
      ['allowed-resource-types', types],
      ['allowed-host-families', { values: /^[a-z0-9-]+$/, description: 'families of hosts such as m5' }],
      ['allowed-host-based-license-configurations', { values: /^arn:/, description: 'ARNs' }],
      ['any-host-based-license-configuration', flag],
      ['auto-allocate-host', flag],
      ['auto-release-host', flag],
    ]),
  ],
  [capacityPool, new Map([['allowed-resource-types', types]])],
  [applicationGroup, new Map()],
])

/** Configuration types of static groups. */
export const staticTypes = [hostManagement, capacityPool, applicationGroup]

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

export const canonicalType = (type: string) => neutralTypes.get(type) ?? type

const at = 'body/Configuration'

/** Validates a configuration and makes its type names canonical. */
export function checkedConfiguration(configuration: Configuration): Configuration {
  const items = configuration.map((item) => ({ ...item, Type: canonicalType(item.Type) }))
  const problems = [...items.flatMap(itemProblems), ...combinationProblems(items)]
  if (problems.length > 0) invalid(problems)
  return items
}

function itemProblems({ Type, Parameters = [] }: Item, index: number): Detail[] {
  const rules = parameters.get(Type)
  const itemAt = `${at}/${index}`
  if (!rules) return [{ at: `${itemAt}/Type`, message: `must be one of ${[...parameters.keys()].join(', ')}` }]
  const names = Parameters.map(({ Name }) => Name)
  const repeated = names.filter((name, first) => names.indexOf(name) !== first)
  return [
    ...repeated.map((name) => ({ at: `${itemAt}/Parameters`, message: `has ${name} twice` })),
    ...Parameters.flatMap(({ Name, Values = [] }, number) => {
      const rule = rules.get(Name)
      const parameterAt = `${itemAt}/Parameters/${number}`
      if (!rule) return [{ at: `${parameterAt}/Name`, message: `must be one of ${[...rules.keys()].join(', ')}` }]
      const isValid =
        Values.length > 0 && (!rule.single || Values.length === 1) && Values.every((value) => rule.values.test(value))
      return isValid ? [] : [{ at: `${parameterAt}/Values`, message: `must be ${rule.description}` }]
    }),
  ]
}

function combinationProblems(items: readonly Item[]): Detail[] {
  const kinds = items.map(({ Type }) => Type)
  if (new Set(kinds).size < kinds.length) return [{ at, message: 'must not have a type twice' }]
  const exclusive = kinds.filter((kind) => staticTypes.includes(kind))
  if (exclusive.length > 1) return [{ at, message: `must have ${exclusive.join(' or ')}, not both` }]
  const [only] = exclusive.flatMap((kind) => memberTypes.get(kind) ?? [])
  const others = valuesOf(items, 'allowed-resource-types').filter((type) => !isSame(type, only ?? type))
  if (others.length > 0)
    return [{ at, message: `must not allow ${others.join(', ')}: groups of ${exclusive} can only contain ${only}` }]
  const anyLicense = valuesOf(items, 'any-host-based-license-configuration').includes('true')
  const licenses = valuesOf(items, 'allowed-host-based-license-configurations')
  return anyLicense && licenses.length > 0 ? [{ at, message: 'must allow any license or certain ones, not both' }] : []
}

function valuesOf(items: readonly Item[], parameter: string): string[] {
  return items.flatMap(({ Parameters = [] }) =>
    Parameters.flatMap(({ Name, Values = [] }) => (Name === parameter ? Values : [])),
  )
}

/** Whether the group has explicit members. */
export function isStatic(configuration: Configuration | null): boolean {
  return configuration?.some(({ Type }) => staticTypes.includes(Type)) ?? false
}

/** Whether the group can have tag-sync tasks. */
export function isApplication(configuration: Configuration | null): boolean {
  return configuration?.some(({ Type }) => Type === applicationGroup) ?? false
}

/** Types that members may have, in lower case: the intersection of all items. */
export function allowedTypes(configuration: Configuration | null): Types {
  if (!configuration || !isStatic(configuration)) return []
  const fixed = configuration.map(({ Type }) => [memberTypes.get(Type) ?? []].flat())
  const listed = configuration.map((item) => valuesOf([item], 'allowed-resource-types'))
  const lists = [...fixed, ...listed].filter(({ length }) => length > 0)
  const [first, ...others] = lists.map((list) => list.map((type) => type.toLowerCase()))
  return first ? first.filter((type) => others.every((other) => other.includes(type))) : 'all'
}

export function isProtected(configuration: Configuration | null): boolean {
  return valuesOf(configuration ?? [], 'deletion-protection').length > 0
}

/** Returns the reason why members of these types rule out a configuration; undefined if they do not. */
export function objection(configuration: Configuration, memberTypes: readonly string[]): string | undefined {
  if (memberTypes.length === 0) return undefined
  if (!isStatic(configuration))
    return `The group has members, which only ${staticTypes.join(', ')} accept: ungroup them first.`
  const allowed = allowedTypes(configuration)
  const foreign = memberTypes.filter((type) => allowed !== 'all' && !allowed.includes(type.toLowerCase()))
  return foreign.length === 0
    ? undefined
    : `The group has members of types that would not be allowed: ${foreign.join(', ')}. Ungroup them first.`
}
