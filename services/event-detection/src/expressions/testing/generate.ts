const atoms = [
  ...['0', '1', '13', '7', '2.5', '20.0', '9007199254740991', 'true', 'false', "'a'", '"b"', "''"],
  ...['$input.In.count', '$input.In.text', '$input.In.list[1]', '$input.In.missing', '$input.In.`a b`', '$input.No.x'],
  ...['$variable.n', '$variable.d', '$variable.s', '$variable.b', '$variable.unset', '$variable.long'],
  ...['timeout("due")', 'currentInput("In")', 'triggerType("Timer")'],
]
const operators = ['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '==', '!=', '&&', '||', '&', '|', '^']
const calls = ['isUndefined', 'isNull', 'bitnot', 'bitor', 'bitand', 'startsWith', 'endsWith', 'contains', 'convert']
const twoArguments = ['bitor', 'bitand', 'startsWith', 'endsWith', 'contains', 'convert']

/** A valid expression of random types. */
export function someExpression(next: () => number, depth: number): string {
  const pick = (from: readonly string[]) => from[Math.floor(next() * from.length)] as string
  const inner = () => someExpression(next, depth - 1)
  const dice = depth <= 0 ? 0 : next()
  if (dice < 0.2) return pick(atoms)
  if (dice < 0.7) return `${inner()} ${pick(operators)} ${inner()}`
  if (dice < 0.8) return `(${inner()})`
  if (dice < 0.88) return `${pick(['!', '-', '~'])}${inner()}`
  if (dice < 0.92) return `'x\${${inner()}}y'`
  const name = pick(calls)
  return twoArguments.includes(name) ? `${name}(${inner()}, ${inner()})` : `${name}(${inner()})`
}

/** Inserts, deletes or replaces a few characters. */
export function garble(text: string, next: () => number): string {
  let result = text
  for (let edits = 1 + Math.floor(next() * 3); edits > 0; edits--) {
    const at = Math.floor(next() * (result.length + 1))
    const character = '\'"`$.{}()[]\\,!&|=+-*/%<>~^ 0aZ_\u0000é🌱'[Math.floor(next() * 36)] ?? ''
    result = result.slice(0, at) + (next() < 0.6 ? character : '') + result.slice(at + (next() < 0.6 ? 1 : 0))
  }
  return result
}
