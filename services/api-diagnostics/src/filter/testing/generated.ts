import fc from 'fast-check'
import type { Settings } from '../../diagnostics/contract.ts'
import type { Call, Comparison, Node, Row } from './odata.ts'

// Letters that UTF-16 and Unicode sort differently, quotes, and special characters of SQL and LIKE.
const stems = [
  'app',
  'App',
  'ünï',
  '😀',
  'Ａｚ',
  "O'Brien",
  "''",
  '100%',
  'a_b',
  '\\',
  '--',
  '$1',
  'null',
  'and',
  ' x ',
]
const stem = fc.constantFrom(...stems)

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const percentages = [0, 0.1, 12.5, 25, 33.333333333333336, 100]
const protocols = ['None', 'Legacy', 'W3C'] as const
const verbosities = ['verbose', 'information', 'error'] as const

const settings = fc.record({
  loggerId: fc.tuple(stem, stem).map((parts) => parts.join('')),
  alwaysLog: optional(fc.constant('allErrors')),
  verbosity: optional(fc.constantFrom(...verbosities)),
  httpCorrelationProtocol: optional(fc.constantFrom(...protocols)),
  logClientIp: optional(fc.boolean()),
  sampling: optional(
    fc.record({
      samplingType: optional(fc.constant('fixed')),
      percentage: optional(fc.constantFrom(...percentages)),
    }),
  ),
})

/** Generates rows with distinct names, deterministically. JSON drops unset fields. */
export function rows(count: number): Row[] {
  const parts = fc.sample(fc.tuple(stem, stem, settings), { numRuns: count, seed: 1 })
  return parts.map(([prefix, suffix, fields], index) => ({
    name: `${prefix}${index}${suffix}`,
    settings: JSON.parse(JSON.stringify(fields)) as Settings,
  }))
}

/** Occurs in most names, in some, or in none. */
const freeText = fc.oneof(
  { weight: 4, arbitrary: stem },
  { weight: 2, arbitrary: fc.tuple(stem, fc.nat(49)).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(9), stem).map((parts) => parts.join('')) },
  fc.tuple(stem, fc.nat(4999), stem).map((parts) => parts.join('')),
  fc.constantFrom('', 'p', 'P', '9'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
)
const enumText = fc.constantFrom('allErrors', 'error', 'information', 'None', 'W3C', 'fixed', 'Fixed', 'e', 'r', 'L')

/** A text field, with a text to search for. */
const textual = fc.oneof(
  { weight: 3, arbitrary: fc.record({ path: fc.constantFrom('name', 'properties/loggerId'), text: freeText }) },
  fc.record({
    path: fc.constantFrom(
      'properties/alwaysLog',
      'properties/verbosity',
      'properties/httpCorrelationProtocol',
      'properties/sampling/samplingType',
    ),
    text: enumText,
  }),
)

const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
const equality = fc.constantFrom('eq' as const, 'ne' as const)
const percentage = 'properties/sampling/percentage'
const logClientIp = 'properties/logClientIp'
const anyPath = fc.constantFrom('name', 'properties/loggerId', 'properties/alwaysLog', percentage, logClientIp)

/** Comparisons with the given operators, or with any. */
export function comparison(...only: Comparison['op'][]): fc.Arbitrary<Node> {
  const operator = fc.constantFrom(...(only.length > 0 ? only : operators))
  const number = fc.oneof(fc.constantFrom(...percentages), fc.double({ min: -10, max: 110, noNaN: true }))
  const swapped = fc.boolean()
  const ordered = fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(textual, operator, swapped)
        .map(([{ path, text }, op, isSwapped]): Comparison => ({ op, path, value: text, swapped: isSwapped })),
    },
    fc.record({ op: operator, path: fc.constant(percentage), value: number, swapped }),
  )
  if (only.some((op) => op !== 'eq' && op !== 'ne')) return ordered
  const op = only.length > 0 ? operator : equality
  return fc.oneof(
    { weight: 3, arbitrary: ordered },
    fc.record({ op, path: anyPath, value: fc.constant(null), swapped }),
    fc.record({ op, path: fc.constant(logClientIp), value: fc.boolean(), swapped }),
  )
}

const calls = ['substringof', 'contains', 'startswith', 'endswith'] as const
const tail = fc.constantFrom<Call['tail'][]>('', '', ' eq true', ' eq false', ' ne true', ' ne false')

export const call = (...only: Call['op'][]): fc.Arbitrary<Node> =>
  fc
    .tuple(textual, fc.constantFrom(...(only.length > 0 ? only : calls)), tail)
    .map(([{ path, text }, op, end]): Call => ({ op, path, text, tail: end }))

export const filter: fc.Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.oneof(comparison(), call()),
    fc.record({ op: fc.constant('not' as const), of: tie('node'), parenthesized: fc.boolean() }),
    fc.record({ op: fc.constantFrom('and', 'or'), left: tie('node'), right: tie('node'), parenthesized: fc.boolean() }),
  ),
})).node
