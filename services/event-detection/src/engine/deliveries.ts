import { createHash } from 'node:crypto'
import type { Scope } from '../expressions/compile.ts'
import { isProblem, type Problem, type Result, show } from '../expressions/value.ts'
import type { DeliveryKind, Payload } from '../models/actions/contract.ts'
import { type DeliveryFields, looksLikeExpression, meaningOf } from '../models/actions/fields.ts'
import { isJson } from '../shapes/json.ts'
import type { CompiledExpression, Reader } from './compile.ts'
import type { Effect, EvaluationError } from './types.ts'

/** Evaluation of a detector or an alarm that creates deliveries. */
export interface DeliveryRun extends Scope {
  readonly at: number
  readonly effects: Effect[]
  readonly errors: EvaluationError[]
  /** Identifies the evaluation; deterministic, so that a retry gives the same ids. */
  cause(): string
  /** Default payload. */
  standardPayload(actionExecutionId: string, eventName: string): string
}

export type CompiledDelivery = (run: DeliveryRun, eventName: string) => void

export function compileDelivery(
  kind: DeliveryKind,
  { payload, ...fields }: DeliveryFields,
  path: string,
  read: Reader,
): CompiledDelivery {
  const target = compileFields(kind, '', fields, path, read)
  const content = payload && compilePayload(payload, `${path}.payload.contentExpression`, read)
  return (run, eventName) => {
    const id = effectId(run)
    const to = target(run) as Readonly<Record<string, unknown>> | undefined
    const text = content ? content(run) : run.standardPayload(id, eventName)
    if (to === undefined || text === undefined) return
    run.effects.push({ id, action: kind, eventName, ...finalize(kind, id, run.at, to, text, payload?.type) })
  }
}

/** UUID derived from the cause of a delivery, and so the same in a retry. */
export function effectId(run: DeliveryRun): string {
  const hash = createHash('sha1').update(`${run.cause()}\n${run.effects.length}`).digest()
  hash[6] = ((hash[6] as number) & 0x0f) | 0x50
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  return hash.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Compiles the expressions in an action's fields, at any depth. The result is undefined if one has no value. */
function compileFields(
  kind: DeliveryKind,
  field: string,
  json: unknown,
  path: string,
  read: Reader,
): (run: DeliveryRun) => unknown {
  if (typeof json === 'object' && json !== null) {
    const parts = Object.entries(json).map(
      ([name, part]) => [name, compileFields(kind, name, part, `${path}.${name}`, read)] as const,
    )
    return (run) => {
      const entries = parts.map(([name, part]) => [name, part(run)] as const)
      return entries.some(([, part]) => part === undefined) ? undefined : Object.fromEntries(entries)
    }
  }
  const meaning = meaningOf(kind, field)
  if (typeof json !== 'string' || meaning === 'literal' || (meaning === 'either' && !looksLikeExpression(json)))
    return () => json
  const expression = read(json, path)
  return (run) => textOf(run, expression, expression.evaluate(run))
}

function textOf(run: DeliveryRun, { path, text }: CompiledExpression, result: Result): string | undefined {
  if (!isProblem(result)) return show(result)
  run.errors.push({ path, expression: text, message: result.problem })
  return undefined
}

const notText: Problem = { problem: 'a payload of type JSON is an expression whose value is a string' }

function compilePayload(payload: Payload, path: string, read: Reader): (run: DeliveryRun) => string | undefined {
  const expression = read(payload.contentExpression, path)
  if (payload.type === 'STRING') return (run) => textOf(run, expression, expression.evaluate(run))
  return (run) => {
    const value = expression.evaluate(run)
    const text = textOf(run, expression, isProblem(value) || typeof value === 'string' ? value : notText)
    // Sent nevertheless: the receiver may accept it.
    if (text !== undefined && !isJson(text))
      run.errors.push({ path, expression: expression.text, message: 'the payload is not JSON' })
    return text
  }
}

type Target = Readonly<Record<string, unknown>>

/** Applies payload encoding and defaults of the kind of action. */
function finalize(
  kind: DeliveryKind,
  id: string,
  at: number,
  target: Target,
  payload: string,
  type: Payload['type'] = 'JSON',
): { target: Target; payload: string } {
  switch (kind) {
    case 'sqs':
      return { target, payload: target.useBase64 === true ? base64(payload) : payload }
    case 'firehose': {
      const { separator = '', ...rest } = target
      return { target: rest, payload: `${payload}${separator}` }
    }
    case 'dynamoDB':
      return { target: itemTarget(target, type), payload: type === 'STRING' ? base64(payload) : payload }
    case 'iotSiteWise': {
      const full = propertyTarget(target, id, at)
      return { target: full, payload: JSON.stringify(full.propertyValue) }
    }
    default:
      return { target, payload }
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A payload that is not JSON is stored as bytes, in a column with the suffix `_raw`. */
const itemTarget = ({ payloadField = 'payload', ...target }: Target, type: Payload['type']): Target => ({
  operation: 'INSERT',
  hashKeyType: 'STRING',
  ...(target.rangeKeyField !== undefined && { rangeKeyType: 'STRING' }),
  ...target,
  payloadField: type === 'STRING' ? `${payloadField}_raw` : payloadField,
})

const propertyTarget = ({ propertyValue, ...target }: Target, entryId: string, at: number) => ({
  entryId,
  ...target,
  propertyValue: {
    timestamp: { timeInSeconds: String(Math.floor(at / 1000)), offsetInNanos: String((at % 1000) * 1_000_000) },
    ...(propertyValue as object | undefined),
  },
})
