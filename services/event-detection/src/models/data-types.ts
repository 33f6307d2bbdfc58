import { type Demand, type Inferred, infer, type Kinds } from '../expressions/infer.ts'
import type { ModelParts } from './check.ts'
import { type Finding, finding } from './findings.ts'
import { type LocatedExpression, readable, type Use } from './located.ts'

const error = (message: string, ...paths: string[]) => finding('data-type', 'ERROR', message, ...paths)

/** Allowed kinds by use; empty means any. */
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

const requirements: Partial<Record<Use, string>> = {
  condition: 'A condition must be true or false',
  duration: 'The duration of a timer must be a number',
  json: 'A payload of type JSON must be a string',
}

export function checkDataTypes({ expressions, actions }: ModelParts): readonly Finding[] {
  const variables = kindsOfVariables(actions)
  const kindsOf = (reference: string) => variables.get(reference) ?? []
  const inferred = readable(expressions).map((expression) => ({ expression, ...infer(expression.node, kindsOf) }))
  return [
    ...[...variables].map(([reference, kinds]) =>
      finding('data-type', 'INFO', `Inferred data types [${kinds.join(', ')}] for ${reference}`),
    ),
    ...inferred.flatMap(ofExpression),
    ...acrossExpressions(inferred),
  ]
}

/**
 * Inferred kinds of variables, by reference, except those set from inputs. A variable set from others is inferred after them,
 * so that `n + 1` does not turn the integer n into a decimal.
 */
function kindsOfVariables(actions: ModelParts['actions']): ReadonlyMap<string, Kinds> {
  let pending = actions.flatMap(({ action, expressions }) => {
    const [value] = action.setVariable ? readable(expressions) : []
    return value ? [{ ...value, reference: `$variable.${action.setVariable?.variableName}` }] : []
  })
  const inferred = new Map<string, Kinds>()
  const unknown = new Set<string>()
  for (let ready = pending; ready.length > 0; ) {
    ready = pending.filter(({ references }) =>
      references.variables.every((name) => inferred.has(`$variable.${name}`) || unknown.has(`$variable.${name}`)),
    )
    pending = pending.filter((value) => !ready.includes(value))
    for (const { reference, node } of ready) {
      const { kinds } = infer(node, (name) => (unknown.has(name) ? [] : (inferred.get(name) ?? [])))
      if (kinds.length === 0) unknown.add(reference)
      inferred.set(reference, [...new Set([...(inferred.get(reference) ?? []), ...kinds])])
    }
  }
  for (const reference of [...unknown, ...pending.map((value) => value.reference)]) inferred.delete(reference)
  return inferred
}

type InferredExpression = Inferred & { readonly expression: LocatedExpression }

function ofExpression({ expression, kinds, demands, clashes }: InferredExpression): readonly Finding[] {
  const findings = clashes.map((clash) => error(`${clash}: ${expression.text}`, expression.path))
  const allowed = allowedKinds[expression.use]
  if (allowed.length > 0 && kinds.length > 0 && !kinds.some((kind) => allowed.includes(kind))) {
    const requirement = requirements[expression.use] ?? `The value must be ${allowed.join(' or ')}`
    findings.push(error(`${requirement}, not ${kinds.join(' or ')}: ${expression.text}`, expression.path))
  }
  for (const [reference, clash] of conflicts(demands))
    findings.push(
      error(
        `Incompatible data types [${clash.join(', ')}] for ${reference} in one expression: ${expression.text}`,
        expression.path,
      ),
    )
  return findings
}

/** References used both as a number and as a text, one of which will fail. */
function acrossExpressions(inferred: readonly InferredExpression[]): readonly Finding[] {
  const reported = new Set(inferred.flatMap(({ demands }) => conflicts(demands).map(([reference]) => reference)))
  const located = inferred.flatMap(({ demands, expression }) =>
    demands.map((demand) => ({ ...demand, path: expression.path })),
  )
  return conflicts(located)
    .filter(([reference]) => !reported.has(reference))
    .map(([reference, clash]) => {
      const paths = located.filter((demand) => demand.reference === reference).map(({ path }) => path)
      const message = `${reference} is used as ${clash.join(' and as ')}; one of the two will fail.`
      return finding('data-type', 'WARNING', message, ...new Set(paths))
    })
}

/** References with conflicting demands, and the demanded kinds. */
function conflicts(demands: readonly Demand[]): readonly (readonly [string, readonly string[]])[] {
  const references = [...new Set(demands.map(({ reference }) => reference))]
  return references.flatMap((reference) => {
    const demanded = demands.filter((demand) => demand.reference === reference).map(({ kinds }) => kinds)
    const common = demanded.reduce((left, right) => left.filter((kind) => right.includes(kind)))
    return common.length > 0 ? [] : [[reference, [...new Set(demanded.map((kinds) => kinds.join(' or ')))]] as const]
  })
}
