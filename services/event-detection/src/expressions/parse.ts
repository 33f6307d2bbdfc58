import { convertible, functions, isFunction } from './functions.ts'
import type { BinaryOperator, Node, Segment, UnaryOperator } from './syntax.ts'
import { maxDepth, SyntaxProblem, type Token, tokensOf } from './tokens.ts'

export type Parsed =
  | { readonly node: Node; readonly problem?: undefined }
  | { readonly node?: undefined; readonly problem: string; readonly at: number }

export const maxConditionLength = 512
export const maxExpressionLength = 1024

const precedence: Readonly<Record<BinaryOperator, number>> = {
  ...{ '||': 1, '&&': 2, '|': 3, '^': 4, '&': 5 },
  ...{ '==': 6, '!=': 6, '<': 7, '<=': 7, '>': 7, '>=': 7 },
  ...{ '+': 8, '-': 8, '*': 9, '/': 9, '%': 9 },
}
const isBinary = (text: string): text is BinaryOperator => Object.hasOwn(precedence, text)
const isUnary = (text: string): text is UnaryOperator => text === '!' || text === '-' || text === '~'

/** Parses an expression. Errors have a position, starting at 1. */
export function parse(text: string, maxLength = maxExpressionLength): Parsed {
  if (text.length > maxLength) return { problem: `is longer than ${maxLength} characters`, at: maxLength + 1 }
  try {
    return { node: parseTokens(tokensOf(text), 0) }
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error
    return { problem: error.message, at: error.at + 1 }
  }
}

/** Tokens with a position; the last one is the end. */
interface Cursor {
  readonly tokens: readonly Token[]
  next: number
}

const peek = ({ tokens, next }: Cursor) => tokens[next] as Token

function isSymbol(cursor: Cursor, text: string): boolean {
  const token = peek(cursor)
  return token.kind === 'symbol' && token.text === text
}

function expect(cursor: Cursor, text: string, message: string): void {
  if (!isSymbol(cursor, text)) throw new SyntaxProblem(peek(cursor).at, message)
  cursor.next++
}

function parseTokens(tokens: readonly Token[], depth: number): Node {
  const cursor = { tokens, next: 0 }
  const node = binary(cursor, 0, depth)
  const token = peek(cursor)
  if (token.kind !== 'end') throw new SyntaxProblem(token.at, `an operator is expected before ${describe(token)}`)
  return node
}

/** Precedence climbing: takes the operators that bind more tightly than `above`. */
function binary(cursor: Cursor, above: number, depth: number): Node {
  let left = operand(cursor, depth)
  for (;;) {
    const token = peek(cursor)
    if (token.kind !== 'symbol' || !isBinary(token.text) || precedence[token.text] <= above) return left
    cursor.next++
    const right = binary(cursor, precedence[token.text], depth + 1)
    left = { kind: 'binary', at: token.at, operator: token.text, left, right }
  }
}

function operand(cursor: Cursor, depth: number): Node {
  const token = peek(cursor)
  if (depth > maxDepth) throw new SyntaxProblem(token.at, `the expression is nested more than ${maxDepth} deep`)
  cursor.next++
  switch (token.kind) {
    case 'literal':
      return token
    case 'template': {
      const parts = token.parts.map((part) => (typeof part === 'string' ? part : parseTokens(part, depth + 1)))
      return { kind: 'template', at: token.at, parts }
    }
    case 'reference':
      return reference(token.root, token.path, token.at)
    case 'name':
      return word(cursor, token.text, token.at, depth)
    case 'symbol':
      return group(cursor, token.text, token.at, depth)
    case 'end':
      throw new SyntaxProblem(token.at, 'a value is expected here, but the expression ends')
  }
}

function group(cursor: Cursor, text: string, at: number, depth: number): Node {
  if (isUnary(text)) return { kind: 'unary', at, operator: text, operand: operand(cursor, depth + 1) }
  if (text !== '(') throw new SyntaxProblem(at, `a value is expected before '${text}'`)
  const inner = binary(cursor, 0, depth + 1)
  expect(cursor, ')', "')' is missing")
  return inner
}

function word(cursor: Cursor, name: string, at: number, depth: number): Node {
  if (name === 'true' || name === 'false') return { kind: 'literal', at, value: name === 'true' }
  if (!isSymbol(cursor, '(')) throw new SyntaxProblem(at, `'${name}' is not a value; strings must be quoted`)
  if (!isFunction(name))
    throw new SyntaxProblem(at, `'${name}' is not a function; there are ${Object.keys(functions).join(', ')}`)
  cursor.next++
  const args: Node[] = []
  while (!isSymbol(cursor, ')')) {
    if (args.length > 0) expect(cursor, ',', "',' or ')' is missing")
    const type = name === 'convert' && args.length === 0 ? typeWord(cursor) : undefined
    args.push(type ?? binary(cursor, 0, depth + 1))
  }
  cursor.next++
  const takes = functions[name]?.takes.length ?? 0
  if (args.length !== takes)
    throw new SyntaxProblem(at, `${name}() takes ${takes} argument${takes === 1 ? '' : 's'}, not ${args.length}`)
  return { kind: 'call', at, name, args }
}

/** The type argument of `convert` may be unquoted. */
function typeWord(cursor: Cursor): Node | undefined {
  const token = peek(cursor)
  if (token.kind !== 'name' || !convertible.includes(token.text)) return undefined
  cursor.next++
  return { kind: 'literal', at: token.at, value: token.text }
}

function reference(root: string, path: readonly Segment[], at: number): Node {
  const [name, ...rest] = path
  if (typeof name !== 'string') throw new SyntaxProblem(at, `'$${root}' is followed by '.' and a name`)
  if (root === 'input') {
    if (rest.length === 0) throw new SyntaxProblem(at, `'$input.${name}' is followed by '.' and what to read of it`)
    return { kind: 'input', at, input: name, path: rest }
  }
  if (rest.length > 0) throw new SyntaxProblem(at, `'$variable.${name}' has no parts`)
  return { kind: 'variable', at, name }
}

const describe = (token: Token) =>
  token.kind === 'name' || token.kind === 'symbol' ? `'${token.text}'` : `this ${token.kind}`
