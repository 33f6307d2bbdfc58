import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'
import { sources, textOf } from './sources.ts'

const maxFileLines = 300
const maxFunctionLines = 70

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const isFunction = ({ type }: Node) => /^(Arrow)?Function(Declaration|Expression)?/.test(type)
/** Lines of nested functions and classes do not count for the enclosing function. */
const hasOwnLines = (node: Node) => isFunction(node) || node.type.startsWith('Class')

/** Functions above the line limit, not counting nested functions. */
function longFunctions(file: string): string[] {
  const text = textOf(file)
  let line = 1
  const lineAt = Array.from(text, (character) => (character === '\n' ? line++ : line))
  const span = ({ start, end }: Node) => (lineAt[end - 1] ?? line) - (lineAt[start] ?? line)
  const innerLines = (node: Node): number =>
    childrenOf(node).reduce((sum, child) => sum + (hasOwnLines(child) ? span(child) : innerLines(child)), 0)
  const visit = (node: Node): string[] => {
    const lines = isFunction(node) ? span(node) + 1 - innerLines(node) : 0
    const violation = lines > maxFunctionLines ? [`${file}:${lineAt[node.start]} has ${lines} lines`] : []
    return [...violation, ...childrenOf(node).flatMap(visit)]
  }
  return visit(parseAst(text, { lang: 'ts' }) as Node)
}

const isTest = (file: string) => /\.test\.ts$|\/testing\//.test(file)

test('no file exceeds the line limit', () => {
  expect(sources.filter((file) => textOf(file).split('\n').length > maxFileLines)).toEqual([])
})

test('no function exceeds the line limit', () => {
  expect(sources.filter((file) => !isTest(file)).flatMap(longFunctions)).toEqual([])
})
