import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Instrumenter, type InstrumenterOptions } from '@stryker-mutator/instrumenter'
import type { Group } from './groups.ts'
import { sqlMutants } from './sql.ts'

export interface Mutant {
  readonly id: string
  readonly fileName: string
  readonly location: { readonly start: Position; readonly end: Position }
  readonly mutatorName: string
  readonly replacement: string
}
interface Position {
  readonly line: number
  readonly column: number
}

export interface Instrumented {
  readonly tests: readonly string[]
  /** Instrumented files with all their mutants, of which at most one is active. */
  readonly code: ReadonlyMap<string, string>
  readonly mutants: readonly Mutant[]
}

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly tag?: { readonly name?: string }
  readonly quasis?: readonly Quasi[]
  readonly quasi?: { readonly quasis: readonly Quasi[] }
}
interface Quasi {
  value: { readonly raw: string; readonly cooked: string }
}
interface Path {
  readonly node: Node
  readonly parent?: Node
}

/** Mutates SQL, since Stryker skips tagged templates. */
const sql = {
  name: 'Sql',
  *mutate({ node }: Path): Iterable<Node> {
    if (node.type !== 'TaggedTemplateExpression' || node.tag?.name !== 'sql') return
    for (const [index, { value }] of (node.quasi?.quasis ?? []).entries())
      for (const { text } of sqlMutants(value.raw)) {
        const mutant = structuredClone(node)
        const quasi = mutant.quasi?.quasis[index] as Quasi
        quasi.value = { raw: text, cooked: text }
        yield mutant
      }
  },
}

// Not exported, but a mutable array.
const { allMutators } = await import(
  new URL('mutators/index.js', import.meta.resolve('@stryker-mutator/instrumenter')).href
)
allMutators.push(sql)

const textOf = ({ type, value, quasis = [] }: Node) =>
  type === 'StringLiteral'
    ? String(value)
    : type === 'TemplateLiteral'
      ? quasis.map((quasi) => quasi.value.raw).join('x')
      : ''

/** Ignores messages, which no test spells out: text of four words or more. No name, key or header has as many. */
const messages = {
  shouldIgnore({ node, parent }: Path): string | undefined {
    const text = textOf(node)
    const isSql = parent?.type === 'TaggedTemplateExpression' || /^\s*(select|set|create|alter) /.test(text)
    return !isSql && /\S+ \S+ \S+ \S+/.test(text) ? 'a text that people read' : undefined
  },
}

const options = { plugins: null, excludedMutations: [], ignorers: [messages] } as unknown as InstrumenterOptions
const silent = { debug() {}, info() {}, warn: console.warn, isDebugEnabled: () => false }

const filesOf = (patterns: readonly string[]) => globSync([...patterns]).map((file) => resolve(file))

export async function instrument({ mutate, tests }: Group): Promise<Instrumented> {
  const sources = filesOf(mutate).filter((file) => !file.endsWith('.test.ts'))
  const files = sources.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }))
  const instrumented = await new Instrumenter(silent as never).instrument(files, options)
  return {
    tests: filesOf(tests),
    code: new Map(instrumented.files.map(({ name, content }) => [name, content])),
    mutants: instrumented.mutants.filter(({ status }) => status !== 'Ignored') as Mutant[],
  }
}
