import { bits } from './operators.ts'
import { isProblem, type Kind, type Problem, type Result, readNumber, show, type Value } from './value.ts'

/** Allowed kinds of an argument; empty means any. */
type Argument = readonly Kind[]
const text: Argument = ['String']
const whole: Argument = ['Integer']
const any: Argument = []

export interface FunctionDefinition {
  readonly takes: readonly Argument[]
  /** Missing if it depends on the arguments. */
  readonly gives?: Kind
  /** Missing for functions of the detector, which are compiled separately. */
  readonly apply?: (...values: Value[]) => Result
}

const strings = (name: string, test: (text: string, part: string) => boolean): FunctionDefinition => {
  const problem: Problem = { problem: `${name}() takes two strings` }
  return {
    takes: [text, text],
    gives: 'Boolean',
    apply: (a, b) => (typeof a === 'string' && typeof b === 'string' ? test(a, b) : problem),
  }
}

const bitwise = (operator: '|' | '&' | '^'): FunctionDefinition => ({
  takes: [whole, whole],
  gives: 'Integer',
  apply: (a = null, b = null) => bits(operator, a, b),
})

/** The functions of the detector-model language, as publicly documented. */
export const functions: Readonly<Record<string, FunctionDefinition>> = {
  timeout: { takes: [text], gives: 'Boolean' },
  triggerType: { takes: [text], gives: 'Boolean' },
  currentInput: { takes: [text], gives: 'Boolean' },
  isUndefined: { takes: [any], gives: 'Boolean' },
  isNull: { takes: [any], gives: 'Boolean', apply: (value) => value === null },
  convert: { takes: [text, any], apply: (type = null, value = null) => convert(type, value) },
  startsWith: strings('startsWith', (value, part) => value.startsWith(part)),
  endsWith: strings('endsWith', (value, part) => value.endsWith(part)),
  contains: strings('contains', (value, part) => value.includes(part)),
  bitor: bitwise('|'),
  bitand: bitwise('&'),
  bitxor: bitwise('^'),
  bitnot: { takes: [whole], gives: 'Integer', apply: (value = null) => bits('^', value, -1) },
}

/** Types that `convert` accepts without quotes. */
export const convertible: readonly string[] = ['String', 'Boolean', 'Decimal']

function convert(type: Value, value: Value): Result {
  if (typeof type !== 'string' || !convertible.includes(type))
    return { problem: `convert() knows ${convertible.join(', ')}, not ${show(type)}` }
  const converted = conversions[type]?.(value)
  return converted ?? { problem: `convert() cannot convert ${show(value)} to ${type}` }
}

const conversions: Readonly<Record<string, (value: Value) => Value | undefined>> = {
  String: (value) => (value === null ? undefined : show(value)),
  Boolean(value) {
    if (typeof value === 'boolean') return value
    return value === 'true' ? true : value === 'false' ? false : undefined
  },
  Decimal(value) {
    const number = typeof value === 'string' ? readNumber(value.trim()) : value
    if (typeof number === 'boolean' || typeof number === 'string' || number === null || number === undefined)
      return undefined
    return typeof number === 'number' && Number.isSafeInteger(number) ? { decimal: number } : number
  },
}

export const isFunction = (name: string): boolean => Object.hasOwn(functions, name)

/** Applies a function, unless an argument is a problem. */
export function call(definition: FunctionDefinition, values: readonly Result[]): Result {
  const problem = values.find(isProblem)
  return problem ?? definition.apply?.(...(values as Value[])) ?? { problem: 'has no value' }
}
