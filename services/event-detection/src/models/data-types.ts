import { type Demand, type Inferred, infer, type Kinds } from '../expressions/infer.ts'
import type { Taken } from './check.ts'
import { type Finding, finding } from './findings.ts'
import { type LocatedExpression, readable, type Use } from './located.ts'

const wrong = (message: string, ...paths: string[]) => finding('data-type', 'ERROR', message, ...paths)

/** What an expression may be worth where it stands; none means anything. */
const allowedKinds: Readonly<Record<Use, Kinds>> = {
  condition: ['Boolean'],
  duration: ['Integer', 'Decimal'],
  json: ['String'],
  boolean: ['Boolean', 'String'],
  integer: ['Integer', 'String'],
  double: ['Integer', 'Decimal', 'String'],
  value: [],
  text: [],
}

const explained: Partial<Record<Use, string>> = {
  condition: 'A condition has to be true or false',
  duration: 'The duration of a timer has to be a number',
  json: 'A payload of type JSON has to be a string',
}

export function checkDataTypes({ expressions, actions }: Taken): readonly Finding[] {
  const variables = kindsOfVariables(actions)
  const known = (reference: string) => variables.get(reference) ?? []
  const inferred = readable(expressions).map((expression) => ({ expression, ...infer(expression.node, known) }))
  return [
    ...[...variables].map(([reference, kinds]) =>
      finding('data-type', 'INFO', `Inferred data types [${kinds.join(', ')}] for ${reference}`),
    ),
    ...inferred.flatMap(ofExpression),
    ...acrossExpressions(inferred),
  ]
}

/**
 * By reference, the kinds that a variable is ever set to; those that some input sets are not among them. One that is set
 * from others waits until they are known, so that `n + 1` makes no decimal of the integer n.
 */
function kindsOfVariables(actions: Taken['actions']): ReadonlyMap<string, Kinds> {
  let waiting = actions.flatMap(({ action, expressions }) => {
    const [value] = action.setVariable ? readable(expressions) : []
    return value ? [{ ...value, reference: `$variable.${action.setVariable?.variableName}` }] : []
  })
  const known = new Map<string, Kinds>()
  const open = new Set<string>()
  for (let ready = waiting; ready.length > 0; ) {
    ready = waiting.filter(({ references }) =>
      references.variables.every((name) => known.has(`$variable.${name}`) || open.has(`$variable.${name}`)),
    )
    waiting = waiting.filter((value) => !ready.includes(value))
    for (const { reference, node } of ready) {
      const { kinds } = infer(node, (name) => (open.has(name) ? [] : (known.get(name) ?? [])))
      if (kinds.length === 0) open.add(reference)
      known.set(reference, [...new Set([...(known.get(reference) ?? []), ...kinds])])
    }
  }
  for (const reference of [...open, ...waiting.map((value) => value.reference)]) known.delete(reference)
  return known
}

type InferredExpression = Inferred & { readonly expression: LocatedExpression }

function ofExpression({ expression, kinds, demands, clashes }: InferredExpression): readonly Finding[] {
  const found = clashes.map((clash) => wrong(`${clash}: ${expression.text}`, expression.path))
  const may = allowedKinds[expression.use]
  if (may.length > 0 && kinds.length > 0 && !kinds.some((kind) => may.includes(kind))) {
    const why = explained[expression.use] ?? `The value has to be ${may.join(' or ')}`
    found.push(wrong(`${why}, not ${kinds.join(' or ')}: ${expression.text}`, expression.path))
  }
  for (const [reference, clash] of conflicts(demands))
    found.push(
      wrong(
        `Incompatible data types [${clash.join(', ')}] for ${reference} in one expression: ${expression.text}`,
        expression.path,
      ),
    )
  return found
}

/** The same reference as a number here and as a text there: one of the two will fail when it runs. */
function acrossExpressions(inferred: readonly InferredExpression[]): readonly Finding[] {
  const inside = new Set(inferred.flatMap(({ demands }) => conflicts(demands).map(([reference]) => reference)))
  const all = inferred.flatMap(({ demands, expression }) =>
    demands.map((demand) => ({ ...demand, path: expression.path })),
  )
  return conflicts(all)
    .filter(([reference]) => !inside.has(reference))
    .map(([reference, clash]) => {
      const paths = all.filter((demand) => demand.reference === reference).map(({ path }) => path)
      const message = `${reference} is used as ${clash.join(' and as ')}; one of the two will fail.`
      return finding('data-type', 'WARNING', message, ...new Set(paths))
    })
}

/** References whose demands cannot all be met, with the kinds that were demanded. */
function conflicts(demands: readonly Demand[]): readonly (readonly [string, readonly string[]])[] {
  const references = [...new Set(demands.map(({ reference }) => reference))]
  return references.flatMap((reference) => {
    const own = demands.filter((demand) => demand.reference === reference).map(({ kinds }) => kinds)
    const common = own.reduce((left, right) => left.filter((kind) => right.includes(kind)))
    return common.length > 0 ? [] : [[reference, [...new Set(own.map((kinds) => kinds.join(' or ')))]] as const]
  })
}
