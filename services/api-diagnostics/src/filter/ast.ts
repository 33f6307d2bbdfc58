/** Filterable fields and their types. The specification has `name`; the others are ours. */
export const fields = {
  name: 'text',
  'properties/loggerId': 'text',
  'properties/alwaysLog': 'text',
  'properties/verbosity': 'text',
  'properties/httpCorrelationProtocol': 'text',
  'properties/sampling/samplingType': 'text',
  'properties/sampling/percentage': 'number',
  'properties/logClientIp': 'boolean',
} as const

export type Field = keyof typeof fields

export const operators = ['eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof operators)[number]

export const functions = ['substringof', 'contains', 'startswith', 'endswith'] as const
export type FunctionName = (typeof functions)[number]

/**
 * A parsed filter. Its logic is two-valued: an unset field equals only null, is neither less nor greater than anything, and
 * contains nothing.
 */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | {
      readonly kind: 'compare'
      readonly field: Field
      readonly operator: Operator
      readonly value: string | number | boolean | null
    }
  | {
      readonly kind: 'match'
      readonly how: Exclude<FunctionName, 'substringof'>
      readonly field: Field
      readonly text: string
    }
