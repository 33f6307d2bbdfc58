import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'
import { ByteBudget, budgetFor, clipped } from './byte-budget.ts'
import { decide } from './decide.ts'
import { type LoggedMessage, loggedMessage } from './message.ts'

interface LoggedSide {
  readonly request?: LoggedMessage
  readonly response?: LoggedMessage
}

/** Fields of every line, of bounded length. */
export interface LineHead {
  readonly because: 'sampled' | 'error'
  readonly loggerId: string
  readonly requestId: string
  readonly correlationId: string
  readonly operation: string
  readonly status: number
  readonly durationUs: number
  readonly clientIp?: string
}

export interface DiagnosticLine extends LineHead {
  readonly frontend?: LoggedSide
  readonly backend?: LoggedSide
  /** The budget did not suffice for everything requested. */
  readonly truncated?: boolean
}

export interface ActiveDiagnostic {
  readonly name: string
  readonly settings: Settings
}

/** Caller-supplied ids may be long. */
const maxWordLength = 200
/** Fields added by the log, and `truncated`. */
const frameBytes = 100

/**
 * The lines of all diagnostics about one exchange. They share one budget, spent first on the heads, then on the messages, in
 * the order of the diagnostics.
 */
export function linesFor<Source extends object>(
  active: readonly ActiveDiagnostic[],
  exchange: ObservedExchange,
  source: Source,
): (Source & DiagnosticLine & { readonly diagnostic: string })[] {
  const budget = new ByteBudget(budgetFor(exchange))
  const heads = active.flatMap(({ name, settings }) => {
    const own = headFor(settings, exchange)
    if (!own) return []
    const head = { diagnostic: name, ...source, ...own }
    return budget.take(Buffer.byteLength(JSON.stringify(head)) + frameBytes) ? [{ settings, head }] : []
  })
  let cutsBefore = 0
  return heads.map(({ settings, head }) => {
    const messages = messagesFor(settings, exchange, budget)
    const truncated = budget.cuts > cutsBefore
    cutsBefore = budget.cuts
    return { ...head, ...messages, ...(truncated && { truncated }) }
  })
}

function headFor(settings: Settings, exchange: ObservedExchange): LineHead | undefined {
  const { because, correlationId } = decide(settings, exchange)
  if (because === undefined) return undefined
  const { requestId, operation, method, path, status, durationMs, clientIp } = exchange
  return {
    because,
    loggerId: clipped(settings.loggerId, maxWordLength),
    requestId,
    correlationId: clipped(correlationId, maxWordLength),
    operation: clipped(settings.operationNameFormat === 'Url' ? `${method} ${path}` : operation, maxWordLength),
    status,
    durationUs: Math.round(durationMs * 1000),
    ...(settings.logClientIp && { clientIp }),
  }
}

/** Refused before they are read, and so cheap to send in large numbers. */
const refusedStatuses: ReadonlySet<number> = new Set([401, 403, 413, 429, 503])

function messagesFor(settings: Settings, exchange: ObservedExchange, budget: ByteBudget) {
  if (refusedStatuses.has(exchange.status)) return {}
  const frontend = loggedSide(settings.frontend, exchange, budget)
  const backend = loggedSide(settings.backend, exchange, budget)
  return { ...(frontend && { frontend }), ...(backend && { backend }) }
}

/** A service is its own backend: both sides see the same messages. */
function loggedSide(
  settings: Settings['frontend'],
  exchange: ObservedExchange,
  budget: ByteBudget,
): LoggedSide | undefined {
  const request = settings?.request && loggedMessage(settings.request, exchange.request, budget)
  const response = settings?.response && loggedMessage(settings.response, exchange.response, budget)
  if (!request && !response) return undefined
  return { ...(request && { request }), ...(response && { response }) }
}
