import type { Value } from './value.ts'

export type UnaryOperator = '!' | '-' | '~'
export type Arithmetic = '+' | '-' | '*' | '/' | '%'
export type Bitwise = '&' | '|' | '^'
export type Order = '<' | '<=' | '>' | '>='
export type Equality = '==' | '!='
export type Logic = '&&' | '||'
export type BinaryOperator = Arithmetic | Bitwise | Order | Equality | Logic

/** A name or an index of an array. */
export type Segment = string | number

/** Syntax tree; `at` is the offset in the text. */
export type Node =
  | { readonly kind: 'literal'; readonly at: number; readonly value: Value }
  | { readonly kind: 'template'; readonly at: number; readonly parts: readonly (string | Node)[] }
  | InputReference
  | VariableReference
  | { readonly kind: 'unary'; readonly at: number; readonly operator: UnaryOperator; readonly operand: Node }
  | Binary
  | Call

export interface InputReference {
  readonly kind: 'input'
  readonly at: number
  readonly input: string
  readonly path: readonly Segment[]
}
export interface VariableReference {
  readonly kind: 'variable'
  readonly at: number
  readonly name: string
}
export interface Binary {
  readonly kind: 'binary'
  readonly at: number
  readonly operator: BinaryOperator
  readonly left: Node
  readonly right: Node
}
export interface Call {
  readonly kind: 'call'
  readonly at: number
  readonly name: string
  readonly args: readonly Node[]
}

const plainName = /^[a-zA-Z][a-zA-Z0-9_]*$/
const quoteName = (name: string) => (plainName.test(name) ? name : `\`${name}\``)

/** Normalized spelling of a path in expressions. */
export const pathText = (path: readonly Segment[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? quoteName(part) : `${text}.${quoteName(part)}`
  }, '')

export const referenceText = (node: InputReference | VariableReference): string =>
  node.kind === 'variable'
    ? `$variable.${quoteName(node.name)}`
    : `$input.${quoteName(node.input)}${node.path[0] === undefined ? '' : '.'}${pathText(node.path)}`

export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'template':
      return node.parts.filter((part) => typeof part !== 'string')
    case 'unary':
      return [node.operand]
    case 'binary':
      return [node.left, node.right]
    case 'call':
      return node.args
    default:
      return []
  }
}

/** The node and its descendants. */
export function everyNode(node: Node): readonly Node[] {
  const nodes = [node]
  // The list grows during the loop.
  for (const next of nodes) nodes.push(...childrenOf(next))
  return nodes
}
