import { type Action, type AlarmAction, actionKinds, type DeliveryKind, deliveryKinds } from './contract.ts'

/** Kinds of action in an object; a valid one has exactly one. */
export const kindsOf = (action: Action): readonly (keyof Action)[] =>
  actionKinds.filter((kind) => action[kind] !== undefined)

export function deliveryOf(action: Action): { kind: DeliveryKind; fields: DeliveryFields } | undefined {
  const kind = deliveryKinds.find((candidate) => action[candidate] !== undefined)
  return kind && { kind, fields: action[kind] as DeliveryFields }
}

export type DeliveryFields = Omit<NonNullable<AlarmAction[DeliveryKind]>, 'payload'> & {
  readonly payload?: { readonly contentExpression: string; readonly type: 'STRING' | 'JSON' }
}

/** How a text in a delivery is interpreted; `either` is an expression if it looks like one. */
export type Meaning = 'literal' | 'expression' | 'either'

const allExpressions: readonly DeliveryKind[] = ['dynamoDB', 'dynamoDBv2', 'iotSiteWise']
const literals = ['inputName', 'separator']

export function meaningOf(kind: DeliveryKind, field: string): Meaning {
  if (allExpressions.includes(kind)) return 'expression'
  return literals.includes(field) ? 'literal' : 'either'
}

/** A topic such as `hvac/heating/off` is literal; one with quotes or references is an expression. */
export const looksLikeExpression = (text: string): boolean => /['"]|\$(input|variable)\b|\$\{/.test(text)
