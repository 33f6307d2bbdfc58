import { type Filter, functions } from './ast.ts'
import { call, comparison } from './predicates.ts'
import { reader, type TokenReader } from './reader.ts'
import { refuse, tokensOf } from './tokens.ts'

/** Nesting of parentheses and `not`, bounded by the stack. */
const maxDepth = 20

/** Parses an OData `$filter`; undefined if it is empty. Precedence: `not`, `and`, `or`. */
export function parseFilter(text: string): Filter | undefined {
  if (text.trim() === '') return undefined
  const tokens = reader(tokensOf(text))
  const filter = disjunction(tokens, 0)
  const { kind, at, source } = tokens.peek()
  if (kind !== 'end') refuse(at, `expected and, or, or the end, not ${source}`)
  return filter
}

const disjunction = (tokens: TokenReader, depth: number) => joined(tokens, 'or', () => conjunction(tokens, depth))
const conjunction = (tokens: TokenReader, depth: number) => joined(tokens, 'and', () => factor(tokens, depth))

function joined(tokens: TokenReader, word: 'and' | 'or', term: () => Filter): Filter {
  const first = term()
  const terms = [first]
  while (tokens.skip(word)) terms.push(term())
  return terms.length === 1 ? first : { kind: word, terms }
}

function factor(tokens: TokenReader, depth: number): Filter {
  const { at, kind, source } = tokens.peek()
  if (depth > maxDepth) refuse(at, `parentheses and nots are nested more than ${maxDepth} deep`)
  if (tokens.skip('not')) return { kind: 'not', term: factor(tokens, depth + 1) }
  if (tokens.skip('(')) {
    const inner = disjunction(tokens, depth + 1)
    tokens.expect(')')
    return inner
  }
  if (kind === 'word' && tokens.peek(1).source === '(') return call(tokens)
  if (kind === 'sign' || kind === 'end')
    refuse(at, `expected a comparison, not, ( or one of ${functions.join(', ')}, not ${source || 'the end'}`)
  return comparison(tokens)
}
