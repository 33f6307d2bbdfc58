import { type Field, type Filter, type FunctionName, fields, functions, type Operator, operators } from './ast.ts'
import type { TokenReader } from './reader.ts'
import { refuse, type Token } from './tokens.ts'

type Literal = string | number | boolean | null | Date
type Operand = { readonly token: Token } & ({ readonly field: Field } | { readonly value: Literal })

const isOneOf = <T extends string>(names: readonly T[], name: string): name is T =>
  names.some((candidate) => candidate === name)
const fieldNames = Object.keys(fields) as Field[]

/** Parses `name ge 'a'` or, with swapped operands, `'a' le name`. */
export function comparison(tokens: TokenReader): Filter {
  const left = operand(tokens)
  const sign = tokens.next()
  const operator = sign.source
  if (!isOneOf(operators, operator))
    return refuse(sign.at, `${operator || 'the end'} is not an operator: use one of ${operators.join(', ')}`)
  const right = operand(tokens)
  if ('field' in left && 'value' in right) return toComparison(left.field, operator, right.value, right.token)
  if ('value' in left && 'field' in right) return toComparison(right.field, mirrored[operator], left.value, left.token)
  return refuse(left.token.at, 'compare a field with a value')
}

const mirrored: Readonly<Record<Operator, Operator>> = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' }

function toComparison(field: Field, operator: Operator, value: Literal, { at, source }: Token): Filter {
  const type = fields[field]
  const isEquality = operator === 'eq' || operator === 'ne'
  if (value === null && !isEquality) refuse(at, 'null can only be compared with eq and ne')
  if (type === 'boolean' && !isEquality) refuse(at, `${field} is true or false: compare it with eq and ne`)
  if (value instanceof Date || (value !== null && typeof value !== typeNames[type]))
    return refuse(at, `${field} is a ${type} and ${source} is not: compare it with ${examples[type]} or null`)
  return { kind: 'compare', field, operator, value }
}

const typeNames = { text: 'string', number: 'number', boolean: 'boolean' } as const
const examples = { text: "a text such as 'local'", number: 'a number such as 25', boolean: 'true or false' } as const

/** Parses `startswith(name, 'app')`, to which older clients append `eq true`. */
export function call(tokens: TokenReader): Filter {
  const { at, source: name } = tokens.next()
  if (!isOneOf(functions, name)) return refuse(at, `${name} is not a function: use one of ${functions.join(', ')}`)
  tokens.expect('(')
  const first = operand(tokens)
  tokens.expect(',')
  const second = operand(tokens)
  tokens.expect(')')
  const match = toMatch(name, first, second)
  return isNegated(tokens) ? { kind: 'not', term: match } : match
}

/** `substringof` takes the text first, the others the field. */
function toMatch(name: FunctionName, first: Operand, second: Operand): Filter {
  const [field, text] = name === 'substringof' ? [second, first] : [first, second]
  if (!('field' in field)) return refuse(field.token.at, `${name} expects a field here: ${signatures[name]}`)
  if (!('value' in text) || typeof text.value !== 'string')
    return refuse(text.token.at, `${name} expects a text here: ${signatures[name]}`)
  if (fields[field.field] !== 'text') refuse(field.token.at, `${field.field} is not a text, which ${name} requires`)
  return { kind: 'match', how: name === 'substringof' ? 'contains' : name, field: field.field, text: text.value }
}

const signatures: Readonly<Record<FunctionName, string>> = {
  substringof: "substringof('app', name)",
  contains: "contains(name, 'app')",
  startswith: "startswith(name, 'app')",
  endswith: "endswith(name, 'app')",
}

function isNegated(tokens: TokenReader): boolean {
  const { source: operator } = tokens.peek()
  if (operator !== 'eq' && operator !== 'ne') return false
  tokens.next()
  const { at, source } = tokens.next()
  if (source !== 'true' && source !== 'false') refuse(at, `expected true or false, not ${source || 'the end'}`)
  return (operator === 'eq') === (source === 'false')
}

function operand(tokens: TokenReader): Operand {
  const token = tokens.next()
  switch (token.kind) {
    case 'string':
    case 'number':
      return { token, value: token.value }
    case 'date':
      return { token, value: new Date(token.source) }
    case 'word':
      return wordOperand(token)
    default:
      return refuse(token.at, `expected a field or a value, not ${token.source || 'the end'}`)
  }
}

function wordOperand(token: Token): Operand {
  const { at, source } = token
  if (source === 'true' || source === 'false') return { token, value: source === 'true' }
  if (source === 'null') return { token, value: null }
  if (!isOneOf(fieldNames, source)) return refuse(at, `${source} is not a field: use one of ${fieldNames.join(', ')}`)
  return { token, field: source }
}
