import type { Settings } from '../../diagnostics/contract.ts'

/** Reference implementation, which shares no code with the one under test. */
export type Node =
  | { readonly op: 'and' | 'or'; readonly left: Node; readonly right: Node; readonly parenthesized: boolean }
  | { readonly op: 'not'; readonly of: Node; readonly parenthesized: boolean }
  | Comparison
  | Call

export interface Comparison {
  readonly op: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le'
  readonly path: string
  readonly value: string | number | boolean | null
  /** Value first. */
  readonly swapped: boolean
}

export interface Call {
  readonly op: 'substringof' | 'contains' | 'startswith' | 'endswith'
  readonly path: string
  readonly text: string
  readonly tail: '' | ' eq true' | ' eq false' | ' ne true' | ' ne false'
}

export interface Row {
  readonly name: string
  readonly settings: Settings
}

const precedence = (node: Node) => ({ or: 1, and: 2 })[node.op as string] ?? 3

export function print(node: Node): string {
  const operand = (child: Node, min: number, parenthesized: boolean) =>
    parenthesized || precedence(child) < min ? `( ${print(child)})` : print(child)
  switch (node.op) {
    case 'and':
    case 'or': {
      const { op, left, right, parenthesized } = node
      return `${operand(left, precedence(node), parenthesized)} ${op} ${operand(right, precedence(node), parenthesized)}`
    }
    case 'not':
      return `not ${operand(node.of, 3, node.parenthesized)}`
    case 'substringof':
      return `substringof(${literal(node.text)}, ${node.path})${node.tail}`
    case 'contains':
    case 'startswith':
    case 'endswith':
      return `${node.op}(${node.path},${literal(node.text)})${node.tail}`
    default: {
      const { path, op, value, swapped } = node
      return swapped ? `${literal(value)} ${mirror[op]} ${path}` : `${path} ${op} ${literal(value)}`
    }
  }
}

const mirror = { eq: 'eq', ne: 'ne', gt: 'lt', ge: 'le', lt: 'gt', le: 'ge' }

const literal = (value: string | number | boolean | null) =>
  typeof value === 'string' ? `'${value.split("'").join("''")}'` : String(value)

export function holds(node: Node, row: Row): boolean {
  switch (node.op) {
    case 'and':
      return holds(node.left, row) && holds(node.right, row)
    case 'or':
      return holds(node.left, row) || holds(node.right, row)
    case 'not':
      return !holds(node.of, row)
    case 'substringof':
    case 'contains':
    case 'startswith':
    case 'endswith': {
      const matches = isMatch(node.op, valueAt(row, node.path), node.text)
      return node.tail === ' eq false' || node.tail === ' ne true' ? !matches : matches
    }
    default:
      return compare(node.op, valueAt(row, node.path), node.value)
  }
}

function isMatch(op: Call['op'], value: unknown, text: string): boolean {
  if (typeof value !== 'string') return false
  if (op === 'startswith') return value.startsWith(text)
  return op === 'endswith' ? value.endsWith(text) : value.includes(text)
}

/** Value at a path such as `properties/sampling/percentage`; null if unset. */
function valueAt({ name, settings }: Row, path: string): unknown {
  return (
    path.split('/').reduce<unknown>((value, member) => Object(value)[member], { name, properties: settings }) ?? null
  )
}

function compare(op: Comparison['op'], value: unknown, expected: unknown): boolean {
  if (op === 'eq') return value === expected
  if (op === 'ne') return value !== expected
  if (value === null || expected === null) return false
  const order = typeof value === 'string' ? byCodePoint(value, String(expected)) : Number(value) - Number(expected)
  return { gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0 }[op]
}

/** JavaScript's `<` compares UTF-16 code units. */
function byCodePoint(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => Array.from(text, (letter) => letter.codePointAt(0) ?? 0))
  const length = Math.min(a?.length ?? 0, b?.length ?? 0)
  for (let index = 0; index < length; index++) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return (a?.length ?? 0) - (b?.length ?? 0)
}
