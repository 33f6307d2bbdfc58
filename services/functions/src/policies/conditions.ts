import { invalid } from '@icosa/kernel'

/** What the condition of a binding is about. */
export interface Subject {
  readonly now: Date
  /** Full name of the function. */
  readonly resource: string
}

type Kind = 'boolean' | 'text' | 'time'
type Value = boolean | string | number
interface Term {
  readonly kind: Kind
  readonly of: (subject: Subject) => Value
}
type Test = (subject: Subject) => boolean

const attributes: Readonly<Record<string, Term>> = {
  true: { kind: 'boolean', of: () => true },
  false: { kind: 'boolean', of: () => false },
  'request.time': { kind: 'time', of: ({ now }) => now.getTime() },
  'resource.name': { kind: 'text', of: ({ resource }) => resource },
  'resource.type': { kind: 'text', of: () => 'cloudfunctions.googleapis.com/Function' },
  'resource.service': { kind: 'text', of: () => 'cloudfunctions.googleapis.com' },
}

const methods: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
}

const orders: Readonly<Record<string, (a: Value, b: Value) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

const token =
  /\s*(?:("(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*')|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)|(&&|\|\||[<>=!]=|[<>!().]))/y
const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
/** Bounds recursion. */
const maxDepth = 20

/**
 * Compiles a condition: comparisons of `request.time` with `timestamp("...")`, and of `resource.name`, `.type` and `.service` with texts,
 * also by `startsWith` and `endsWith`, joined by `&&`, `||`, `!` and parentheses. Anything else of CEL is refused by name.
 */
export function conditionOf(expression: string): Test {
  const tokens = tokensOf(expression)
  let at = 0
  let depth = 0
  const refuse = (found = tokens[at] ?? 'its end'): never =>
    invalid([
      {
        at: 'body/policy/bindings/condition/expression',
        message: `the condition '${expression.slice(0, 200)}' cannot be evaluated at ${found}: compare request.time with timestamp("..."), or resource.name, resource.type or resource.service with a text (==, !=, startsWith, endsWith), joined by &&, || and !`,
      },
    ])
  const accept = (text: string) => {
    if (tokens[at] !== text) return false
    at++
    return true
  }
  const expect = (text: string) => accept(text) || refuse()
  const truth = (term: Term, start: number): Test =>
    term.kind === 'boolean' ? (subject) => term.of(subject) === true : refuse(tokens[start])

  const either = (): Term => joined('||', both, (tests) => (subject) => tests.some((test) => test(subject)))
  const both = (): Term => joined('&&', comparison, (tests) => (subject) => tests.every((test) => test(subject)))

  function joined(operator: string, next: () => Term, join: (tests: readonly Test[]) => Test): Term {
    const start = at
    const first = next()
    if (tokens[at] !== operator) return first
    const tests = [truth(first, start)]
    while (accept(operator)) {
      const from = at
      tests.push(truth(next(), from))
    }
    return { kind: 'boolean', of: join(tests) }
  }

  function comparison(): Term {
    const left = negation()
    const operator = tokens[at] ?? ''
    const order = Object.hasOwn(orders, operator) ? orders[operator] : undefined
    if (!order) return left
    at++
    const start = at
    const right = negation()
    if (left.kind !== right.kind || (left.kind !== 'time' && !/^[=!]=$/.test(operator))) refuse(tokens[start])
    return { kind: 'boolean', of: (subject) => order(left.of(subject), right.of(subject)) }
  }

  function negation(): Term {
    if (++depth > maxDepth) refuse()
    const term = accept('!') ? negated() : primary()
    depth--
    return term
  }

  function negated(): Term {
    const start = at
    const test = truth(negation(), start)
    return { kind: 'boolean', of: (subject) => !test(subject) }
  }

  function primary(): Term {
    if (accept('(')) {
      const term = either()
      expect(')')
      return term
    }
    const word = tokens[at] ?? refuse()
    if (/^["']/.test(word)) {
      const text = textOf(tokens[at++] ?? '')
      return { kind: 'text', of: () => text }
    }
    if (word === 'timestamp') return timestamp()
    if (Object.hasOwn(attributes, word)) {
      at++
      return attributes[word] as Term
    }
    return method(word)
  }

  function timestamp(): Term {
    at++
    expect('(')
    const word = tokens[at] ?? refuse()
    const time = Date.parse(textOf(word))
    if (!/^["']/.test(word) || !timestampForm.test(textOf(word)) || Number.isNaN(time)) refuse()
    at++
    expect(')')
    return { kind: 'time', of: () => time }
  }

  function method(word: string): Term {
    const dot = word.lastIndexOf('.')
    const [name, call] = [word.slice(0, dot), word.slice(dot + 1)]
    const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    const test = Object.hasOwn(methods, call) ? methods[call] : undefined
    if (attribute?.kind !== 'text' || !test) return refuse()
    at++
    expect('(')
    const start = at
    const part = primary()
    if (part.kind !== 'text') refuse(tokens[start])
    expect(')')
    return { kind: 'boolean', of: (subject) => test(String(attribute.of(subject)), String(part.of(subject))) }
  }

  const result = truth(either(), 0)
  return at < tokens.length ? refuse() : result
}

/** Tokens; the rest of a text without one is a token of its own, which no rule accepts. */
function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  let at = 0
  while (expression.slice(at).trim() !== '') {
    token.lastIndex = at
    const [whole = expression.slice(at), text, word, sign] = token.exec(expression) ?? []
    tokens.push(text ?? word ?? sign ?? `the text ${whole.trim().slice(0, 50)}`)
    at += whole.length
  }
  return tokens
}

const textOf = (word: string) => word.slice(1, -1).replace(/\\(["'\\])/g, '$1')
