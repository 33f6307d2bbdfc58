import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'

/** What the condition of a binding is about. */
export interface Subject {
  readonly now: Date
  /** Full name of the function. */
  readonly resource: string
}

type Test = (subject: Subject) => boolean

const text = `"((?:[^"\\\\]|\\\\["\\\\])*)"|'([^'\\\\]*)'`
const timeTerm = new RegExp(`^request\\.time\\s*(<=?|>=?|==|!=)\\s*timestamp\\(\\s*(?:${text})\\s*\\)$`)
const nameTerm = new RegExp(`^resource\\.name\\s*(==|!=)\\s*(?:${text})$`)
const nameCall = new RegExp(`^resource\\.name\\.(startsWith|endsWith)\\(\\s*(?:${text})\\s*\\)$`)
/** `&&` outside of texts. */
const separator = new RegExp(`(?:${text})|(&&)`, 'g')

const orders: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

const nameTests: Readonly<Record<string, (name: string, value: string) => boolean>> = {
  '==': (name, value) => name === value,
  '!=': (name, value) => name !== value,
  startsWith: (name, value) => name.startsWith(value),
  endsWith: (name, value) => name.endsWith(value),
}

/** Compiles comparisons of `request.time` and `resource.name` joined by `&&`; refuses any other expression. */
export function conditionOf(expression: string): Test {
  const tests = termsOf(expression).map((term) => testOf(term.trim()) ?? refuse(expression))
  return (subject) => tests.every((test) => test(subject))
}

const refuse = (expression: string): never =>
  notSupported(unsupported.conditions, `The condition '${expression.slice(0, 200)}'`)

function termsOf(expression: string): string[] {
  const starts = [...expression.matchAll(separator)].flatMap(({ 3: and, index }) => (and ? index : []))
  return [...starts, expression.length].map((end, at) =>
    expression.slice(at === 0 ? 0 : (starts[at - 1] ?? 0) + 2, end),
  )
}

function testOf(term: string): Test | undefined {
  const time = timeTerm.exec(term)
  if (time) {
    const at = Date.parse(textOf(time))
    const compare = orders[time[1] ?? '']
    return compare && isTimestamp.test(textOf(time)) && !Number.isNaN(at)
      ? ({ now }) => compare(now.getTime(), at)
      : undefined
  }
  const name = nameTerm.exec(term) ?? nameCall.exec(term)
  const compare = name && nameTests[name[1] ?? '']
  return compare ? ({ resource }) => compare(resource, textOf(name)) : undefined
}

const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

const textOf = ({ 2: double, 3: single }: RegExpExecArray) => double?.replace(/\\(["\\])/g, '$1') ?? single ?? ''
