/**
 * Independent reference implementation of expressions: obviously correct rather than fast. Throws `noValue` where there is no
 * value. Covers only what generated models use.
 */
export type Tagged =
  | { readonly type: 'whole' | 'fraction'; readonly number: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'truth'; readonly truth: boolean }
  | { readonly type: 'null' }

/** A shared instance: creating an error with its stack is slow. */
export const noValue = new Error('no value')

export interface ReferenceScope {
  input(name: string, path: string[]): Tagged | undefined
  variable(name: string): Tagged | undefined
  elapsed(timer: string): boolean
  readonly current: string | undefined
}

type Tree = readonly [head: string, ...rest: (Tree | string)[]]

const trees = new Map<string, Tree>()

export function evaluateText(text: string, world: ReferenceScope): Tagged {
  let tree = trees.get(text)
  if (!tree) {
    tree = read(text)
    trees.set(text, tree)
  }
  return value(tree, world)
}

const levels = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']]

function read(text: string): Tree {
  const words = text.match(/'[^']*'|"[^"]*"|\$[\w.[\]]+|[\w.]+|&&|\|\||[<>=!]=|\S/g) ?? []
  let at = 0

  function level(number: number): Tree {
    const operators = levels[number]
    if (!operators) return operand()
    let tree = level(number + 1)
    while (operators.includes(words[at] ?? '')) tree = [words[at++] as string, tree, level(number + 1)]
    return tree
  }

  function operand(): Tree {
    const word = words[at++] as string
    if (word === '(') {
      const inner = level(0)
      at++
      return inner
    }
    if (word === '!' || word === '-' || word === '~') return [`unary ${word}`, operand()]
    if (words[at] !== '(') return ['atom', word]
    at++
    const args: Tree[] = []
    while (words[at] !== ')') {
      if (words[at] === ',') at++
      args.push(level(0))
    }
    at++
    return [`call ${word}`, ...args]
  }

  return level(0)
}

const whole = (number: number): Tagged => ({ type: Number.isSafeInteger(number) ? 'whole' : 'fraction', number })
const truth = (is: boolean): Tagged => ({ type: 'truth', truth: is })

function value(tree: Tree, world: ReferenceScope): Tagged {
  const [head, first, second] = tree as readonly [string, Tree, Tree]
  if (head === 'atom') return atom(first as unknown as string, world)
  if (head.startsWith('call ')) return call(head.slice(5), tree.slice(1) as Tree[], world)
  if (head.startsWith('unary ')) return unary(head.slice(6), value(first, world))
  if (head === '&&') return truth(isTrue(value(first, world)) && isTrue(value(second, world)))
  if (head === '||') return truth(orFalse(first, world) || orFalse(second, world))
  if (head === '==' || head === '!=') {
    const unset = [first, second].filter((side) => isUnset(side, world))
    const set = [first, second].filter((side) => !unset.includes(side))
    if (unset.length > 0) {
      for (const side of set) value(side, world)
      return truth(head === '!=')
    }
  }
  return binary(head, value(first, world), value(second, world))
}

function isUnset(tree: Tree, world: ReferenceScope): boolean {
  const word = tree[0] === 'atom' ? String(tree[1]) : ''
  return word.startsWith('$variable.') && world.variable(word.slice(10)) === undefined
}

function isTrue(tagged: Tagged): boolean {
  if (tagged.type !== 'truth') throw noValue
  return tagged.truth
}

function orFalse(tree: Tree, world: ReferenceScope): boolean {
  try {
    return isTrue(value(tree, world))
  } catch (error) {
    if (error === noValue) return false
    throw error
  }
}

function atom(word: string, world: ReferenceScope): Tagged {
  if (/^['"]/.test(word)) return { type: 'text', text: word.slice(1, -1) }
  if (word === 'true' || word === 'false') return truth(word === 'true')
  if (/^\d/.test(word)) return word.includes('.') ? { type: 'fraction', number: Number(word) } : whole(Number(word))
  const [root, name = '', ...path] = word.split('.')
  const result = root === '$variable' ? world.variable(name) : world.input(name, path)
  if (!result) throw noValue
  return result
}

function unary(operator: string, operand: Tagged): Tagged {
  if (operator === '!') return truth(!isTrue(operand))
  if (operand.type !== 'whole' && operand.type !== 'fraction') throw noValue
  if (operator === '-') return { type: operand.type, number: 0 - operand.number }
  if (operand.type !== 'whole') throw noValue
  return whole(-operand.number - 1)
}

function call(name: string, args: readonly Tree[], world: ReferenceScope): Tagged {
  const text = () => {
    const argument = value(args[0] as Tree, world)
    if (argument.type !== 'text') throw noValue
    return argument.text
  }
  switch (name) {
    case 'timeout':
      return truth(world.elapsed(text()))
    case 'currentInput':
      return truth(world.current === text())
    case 'triggerType':
      return truth((world.current !== undefined) === (text() === 'Message'))
    case 'isUndefined':
      try {
        value(args[0] as Tree, world)
        return truth(false)
      } catch (error) {
        if (error === noValue) return truth(true)
        throw error
      }
    default:
      throw new Error(`the reference does not know ${name}`)
  }
}

function binary(operator: string, left: Tagged, right: Tagged): Tagged {
  if (left.type === 'text' && right.type === 'text') {
    if (operator === '+') return { type: 'text', text: left.text + right.text }
    return compare(operator, left.text < right.text ? -1 : left.text > right.text ? 1 : 0)
  }
  if (left.type === 'truth' && right.type === 'truth' && (operator === '==' || operator === '!='))
    return truth((left.truth === right.truth) === (operator === '=='))
  const isNumber = (side: Tagged) => side.type === 'whole' || side.type === 'fraction'
  if (!isNumber(left) || !isNumber(right)) throw noValue
  return numbers(operator, left as Tagged & { number: number }, right as Tagged & { number: number })
}

function compare(operator: string, order: number): Tagged {
  const results: Record<string, boolean> = {
    ...{ '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0 },
    ...{ '==': order === 0, '!=': order !== 0 },
  }
  const result = results[operator]
  if (result === undefined) throw noValue
  return truth(result)
}

function numbers(operator: string, left: Tagged & { number: number }, right: Tagged & { number: number }): Tagged {
  const [a, b] = [left.number, right.number]
  const isWhole = left.type === 'whole' && right.type === 'whole'
  const toNumber = (number: number): Tagged => {
    if (!Number.isFinite(number)) throw noValue
    return isWhole ? whole(number + 0) : { type: 'fraction', number: number + 0 }
  }
  if (operator === '+') return toNumber(a + b)
  if (operator === '-') return toNumber(a - b)
  if (operator === '*') return toNumber(a * b)
  if ((operator === '/' || operator === '%') && b === 0) throw noValue
  if (operator === '%') return toNumber(a % b)
  if (operator === '/') return toNumber(isWhole ? nearest(a, b) : a / b)
  if (operator === '&' || operator === '|' || operator === '^') {
    if (!isWhole) throw noValue
    return whole(bitByBit(operator, a, b))
  }
  return compare(operator, a < b ? -1 : a > b ? 1 : 0)
}

/** Quotient rounded to nearest, by remainder; halves away from zero. */
function nearest(a: number, b: number): number {
  const down = Math.floor(Math.abs(a) / Math.abs(b))
  const rest = Math.abs(a) - down * Math.abs(b)
  const up = rest * 2 >= Math.abs(b) ? down + 1 : down
  return a < 0 === b < 0 ? up : -up
}

function bitByBit(operator: string, a: number, b: number): number {
  let result = 0
  for (let bit = 0; bit < 63; bit++) {
    const of = (number: number) => Math.abs(Math.floor(number / 2 ** bit) % 2)
    const [x, y] = [of(a), of(b)]
    const set = operator === '&' ? x && y : operator === '|' ? x || y : x !== y
    if (set) result += 2 ** bit
  }
  const isNegative = operator === '&' ? a < 0 && b < 0 : operator === '|' ? a < 0 || b < 0 : a < 0 !== b < 0
  return isNegative ? result - 2 ** 63 : result
}
