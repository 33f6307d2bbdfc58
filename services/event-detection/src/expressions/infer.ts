import { functions } from './functions.ts'
import {
  type Binary,
  type BinaryOperator,
  type Call,
  type InputReference,
  type Node,
  referenceText,
  type VariableReference,
} from './syntax.ts'
import { type Kind, kindOf } from './value.ts'

/** Possible kinds of a part of an expression; empty means unknown. */
export type Kinds = readonly Kind[]

const numbers: Kinds = ['Integer', 'Decimal']
const whole: Kinds = ['Integer']
const texts: Kinds = ['String']
const booleans: Kinds = ['Boolean']

export interface Inferred {
  readonly kinds: Kinds
  /** Kinds that references must have: `$input.X.y > 5` demands a number. */
  readonly demands: readonly Demand[]
  /** Operators and functions with incompatible operands. */
  readonly clashes: readonly string[]
}
export interface Demand {
  readonly reference: string
  readonly kinds: Kinds
}

/** Static type inference. */
export function infer(node: Node, kindsOfReference: (reference: string) => Kinds): Inferred {
  const demands: Demand[] = []
  const clashes: string[] = []

  /** Demands kinds of a part. Returns those that remain possible. */
  function demand(part: Node, actual: Kinds, expected: Kinds, by: string): Kinds {
    if (isReference(part)) demands.push({ reference: referenceText(part), kinds: expected })
    if (actual.length === 0) return expected
    const fitting = actual.filter((kind) => expected.includes(kind))
    if (fitting.length === 0) clashes.push(`${by} takes ${expected.join(' or ')}, not ${actual.join(' or ')}`)
    return fitting
  }

  function kindsOf(part: Node): Kinds {
    switch (part.kind) {
      case 'literal':
        return [kindOf(part.value)]
      case 'template':
        for (const inner of part.parts) if (typeof inner !== 'string') kindsOf(inner)
        return texts
      case 'input':
      case 'variable':
        return kindsOfReference(referenceText(part))
      case 'unary': {
        const expected = { '!': booleans, '~': whole, '-': numbers }[part.operator]
        return demand(part.operand, kindsOf(part.operand), expected, `'${part.operator}'`)
      }
      case 'binary':
        return binary(part)
      case 'call':
        return callKinds(part)
    }
  }

  function binary({ operator, left, right }: Binary): Kinds {
    const l = kindsOf(left)
    const r = kindsOf(right)
    const clashCount = clashes.length
    const first = demand(left, l, alike(r, operands[operator]), `'${operator}'`)
    if (clashes.length > clashCount) return isArithmetic(operator) ? [] : booleans // one clash is enough
    const second = demand(right, r, alike(l, operands[operator]), `'${operator}'`)
    return isArithmetic(operator) ? result(first, second) : booleans
  }

  function callKinds({ name, args }: Call): Kinds {
    const definition = functions[name]
    args.forEach((argument, index) => {
      const actual = kindsOf(argument)
      const expected = definition?.takes[index] ?? []
      if (expected.length > 0) demand(argument, actual, expected, `${name}()`)
    })
    if (definition?.gives) return [definition.gives]
    const [type] = args
    return kindNames.filter((kind) => type?.kind === 'literal' && kind === type.value)
  }

  return { kinds: kindsOf(node), demands, clashes: [...new Set(clashes)] }
}

/** Kinds of one side that match the other: numbers with numbers, texts with texts. */
function alike(other: Kinds, allowed: Kinds): Kinds {
  const family = families.find((kinds) => other.length > 0 && other.every((kind) => kinds.includes(kind)))
  const expected = family?.filter((kind) => allowed.includes(kind)) ?? []
  return expected.length > 0 ? expected : allowed
}

const isReference = (node: Node): node is InputReference | VariableReference =>
  node.kind === 'input' || node.kind === 'variable'

const families: readonly Kinds[] = [numbers, texts, booleans]
const kindNames: Kinds = ['String', 'Boolean', 'Decimal']
const isArithmetic = (operator: BinaryOperator) => ['+', '-', '*', '/', '%', '&', '|', '^'].includes(operator)

const comparable: Kinds = ['Integer', 'Decimal', 'String']
const operands: Readonly<Record<BinaryOperator, Kinds>> = {
  ...{ '+': comparable, '-': numbers, '*': numbers, '/': numbers, '%': numbers },
  ...{ '&': whole, '|': whole, '^': whole },
  ...{ '<': comparable, '<=': comparable, '>': comparable, '>=': comparable },
  ...{ '==': [...comparable, 'Boolean'], '!=': [...comparable, 'Boolean'] },
  ...{ '&&': booleans, '||': booleans },
}

/** Kinds of an arithmetic result: a decimal operand makes it decimal, as may an overflow of integers. */
function result(left: Kinds, right: Kinds): Kinds {
  const both = [...left, ...right]
  if (both.every((kind) => kind === 'String')) return texts
  if (left.every((kind) => kind === 'Integer') && right.every((kind) => kind === 'Integer')) return whole
  const isDecimal = (side: Kinds) => side.every((kind) => kind === 'Decimal')
  if (!both.includes('String') && (isDecimal(left) || isDecimal(right))) return ['Decimal']
  return numbers.concat(both.includes('String') ? texts : [])
}
