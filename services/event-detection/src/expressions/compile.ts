import { call, functions } from './functions.ts'
import { arithmetic, bits, concatenate, equalityOfResults, ordering, unary } from './operators.ts'
import {
  type Binary,
  type BinaryOperator,
  type Call,
  type Node,
  pathText,
  referenceText,
  type VariableReference,
} from './syntax.ts'
import { isProblem, type Problem, type Result, show, type Value } from './value.ts'

/** Values available to an expression. */
export interface Scope {
  readonly variables: Readonly<Record<string, Value>>
  readonly inputs: Readonly<Record<string, Readonly<Record<string, Value>>>>
  /** The input whose message is being evaluated; undefined if a timer has fired. */
  readonly currentInput: string | undefined
  /** Whether a timer has fired that no earlier evaluation has tested. */
  timeout(timerName: string): boolean
}

/**
 * A compiled expression. The language has no loops: an evaluation takes at most one step per node, and there are fewer nodes
 * than characters.
 */
export type Evaluate = (scope: Scope) => Result

export function compile(node: Node): Evaluate {
  switch (node.kind) {
    case 'literal': {
      const { value } = node
      return () => value
    }
    case 'template':
      return template(node.parts.map((part) => (typeof part === 'string' ? () => part : compile(part))))
    case 'input': {
      const missing: Problem = { problem: `${referenceText(node)} is missing, or not a single value` }
      return read((scope) => (Object.hasOwn(scope.inputs, node.input) ? scope.inputs[node.input] : undefined), {
        name: pathText(node.path),
        missing,
      })
    }
    case 'variable':
      return variable(node, { problem: `${referenceText(node)} is not set` })
    case 'unary': {
      const operand = compile(node.operand)
      return (scope) => {
        const value = operand(scope)
        return isProblem(value) ? value : unary(node.operator, value)
      }
    }
    case 'binary':
      return binary(node)
    case 'call':
      return invocation(node)
  }
}

const variable = ({ name }: VariableReference, missing: Problem): Evaluate =>
  read((scope) => scope.variables, { name, missing })

/** A side of `==` or `!=`, the only operators that accept unset variables. */
const comparedSide = (node: Node): Evaluate =>
  node.kind === 'variable' ? variable(node, { problem: 'is not set', unset: true }) : compile(node)

function read(
  from: (scope: Scope) => Readonly<Record<string, Value>> | undefined,
  { name, missing }: { name: string; missing: Problem },
): Evaluate {
  return (scope) => {
    const values = from(scope)
    return values && Object.hasOwn(values, name) ? (values[name] as Value) : missing
  }
}

function template(parts: readonly Evaluate[]): Evaluate {
  return (scope) => {
    let text: string | Problem = ''
    for (const part of parts) {
      const value = part(scope)
      if (isProblem(value)) return value
      text = concatenate(text, show(value))
      if (typeof text !== 'string') return text
    }
    return text
  }
}

function binary({ operator, left, right }: Binary): Evaluate {
  if (operator === '==' || operator === '!=') {
    const [first, second] = [comparedSide(left), comparedSide(right)]
    return (scope) => equalityOfResults(operator, first(scope), second(scope))
  }
  const a = compile(left)
  const b = compile(right)
  if (operator === '&&') return and(a, b)
  if (operator === '||') return or(a, b)
  const apply = operation(operator)
  return (scope) => {
    const x = a(scope)
    if (isProblem(x)) return x
    const y = b(scope)
    return isProblem(y) ? y : apply(x, y)
  }
}

function operation(operator: Exclude<BinaryOperator, '&&' | '||' | '==' | '!='>): (a: Value, b: Value) => Result {
  switch (operator) {
    case '<':
    case '<=':
    case '>':
    case '>=':
      return (a, b) => ordering(operator, a, b)
    case '&':
    case '|':
    case '^':
      return (a, b) => bits(operator, a, b)
    default:
      return (a, b) => arithmetic(operator, a, b)
  }
}

const notBoolean: Problem = { problem: "'&&' and '||' take Boolean values" }
const asBoolean = (result: Result): boolean | Problem =>
  typeof result === 'boolean' || isProblem(result) ? result : notBoolean

const and =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (scope) => {
    const left = asBoolean(a(scope))
    return left === true ? asBoolean(b(scope)) : left
  }

/** A side without a value counts as false. */
const or =
  (a: Evaluate, b: Evaluate): Evaluate =>
  (scope) =>
    asBoolean(a(scope)) === true || asBoolean(b(scope)) === true

function invocation({ name, args }: Call): Evaluate {
  const values = args.map(compile)
  const [first = () => null] = values
  if (name === 'isUndefined') return (scope) => isProblem(first(scope))
  const query = detectorFunctions[name]
  if (query) {
    return (scope) => {
      const value = first(scope)
      if (isProblem(value)) return value
      return typeof value === 'string' ? query(scope, value) : { problem: `${name}() takes a string` }
    }
  }
  const definition = functions[name]
  if (!definition) throw new Error(`There is no function ${name}`)
  return (scope) =>
    call(
      definition,
      values.map((value) => value(scope)),
    )
}

/** Functions of the detector. */
const detectorFunctions: Readonly<Record<string, (scope: Scope, text: string) => Result>> = {
  timeout: (scope, timerName) => scope.timeout(timerName),
  currentInput: (scope, inputName) => scope.currentInput === inputName,
  triggerType(scope, type) {
    const trigger = type.toLowerCase()
    if (trigger === 'message') return scope.currentInput !== undefined
    return trigger === 'timer'
      ? scope.currentInput === undefined
      : { problem: 'triggerType() takes "Message" or "Timer"' }
  },
}
