import type { ObservedExchange } from '@icosa/kernel'
import type { Settings } from '../diagnostics/contract.ts'
import { decide } from './decide.ts'
import { type LoggedMessage, loggedMessage } from './message.ts'

interface LoggedSide {
  readonly request?: LoggedMessage
  readonly response?: LoggedMessage
}

/** What a diagnostic writes about an exchange. */
export interface DiagnosticLine {
  readonly because: 'sampled' | 'error'
  readonly requestId: string
  readonly correlationId: string
  readonly operation: string
  readonly status: number
  readonly durationUs: number
  readonly clientIp?: string
  readonly frontend?: LoggedSide
  readonly backend?: LoggedSide
}

/** Undefined if the diagnostic does not log this exchange. */
export function lineFor(settings: Settings, exchange: ObservedExchange): DiagnosticLine | undefined {
  const { because, correlationId } = decide(settings, exchange)
  if (because === undefined) return undefined
  const { requestId, operation, method, path, status, durationMs, clientIp } = exchange
  const frontend = loggedSide(settings.frontend, exchange)
  const backend = loggedSide(settings.backend, exchange)
  return {
    because,
    requestId,
    correlationId,
    operation: settings.operationNameFormat === 'Url' ? `${method} ${path}` : operation,
    status,
    durationUs: Math.round(durationMs * 1000),
    ...(settings.logClientIp && { clientIp }),
    ...(frontend && { frontend }),
    ...(backend && { backend }),
  }
}

/** A service of the platform is its own backend: both sides see the same messages. */
function loggedSide(settings: Settings['frontend'], exchange: ObservedExchange): LoggedSide | undefined {
  const request = settings?.request && loggedMessage(settings.request, exchange.request)
  const response = settings?.response && loggedMessage(settings.response, exchange.response)
  if (!request && !response) return undefined
  return { ...(request && { request }), ...(response && { response }) }
}
