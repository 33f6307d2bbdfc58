import type { Log, RequestLine } from '@icosa/kernel'
import { type DestinationStream, type Logger, pino } from 'pino'
import { coalesceOutages } from './coalesce.ts'

export interface LogOptions {
  readonly level: string
  readonly destination?: DestinationStream
}

/** JSON lines on stderr, so that a command's output on stdout stays clean. */
export function createLog({ level, destination = stderr() }: LogOptions): Log {
  const listeners: ((error: unknown) => void)[] = []
  const coalesce = coalesceOutages((text) => log.warn(text))
  const logMethod: typeof coalesce = function logMethod(args, ...rest) {
    const { err } = Object(args[0]) as { err?: unknown }
    if (err !== undefined) for (const listener of listeners) listener(err)
    coalesce.call(this, args, ...rest)
  }
  const log: Logger = pino(
    { level, base: null, hooks: { logMethod }, serializers: { err: serializeError } },
    destination,
  )
  const request = ({ id, operation, tenant, status, durationMs, traceId }: RequestLine) => {
    if (!log.isLevelEnabled('info')) return
    // Real time, even if the platform's clock is moved. Nothing in the line needs escaping.
    destination.write(
      `{"level":30,"time":${Date.now()},"requestId":"${id}","traceId":"${traceId}","operation":"${operation}",${tenant ? `"tenant":"${tenant}",` : ''}"status":${status},"durationUs":${Math.round(durationMs * 1000)},"msg":"request"}\n`,
    )
  }
  return Object.assign(log, { request, onError: (listener: (error: unknown) => void) => void listeners.push(listener) })
}

/**
 * Known properties of an error, or of an object thrown or passed as one, such as an event. Others are dropped, since
 * libraries attach secrets, such as a database client with its password, or a row.
 */
function serializeError(error: unknown, depth = 0): unknown {
  if (typeof error !== 'object' || error === null) return String(error)
  const { message, stack, cause, code } = error as Partial<Record<'message' | 'stack' | 'cause' | 'code', unknown>>
  return {
    type: error.constructor?.name ?? 'Object',
    ...(typeof message === 'string' ? { message } : { has: Object.keys(error) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof stack === 'string' && { stack }),
    ...(cause !== undefined && depth < 3 && { cause: serializeError(cause, depth + 1) }),
  }
}

const maxBufferLength = 65_536
const flushMs = 1_000

let shared: DestinationStream | undefined
const stderr = () => {
  shared ??= buffered()
  return shared
}

/** Writes large chunks, at least once a second: a write per request would cost as much as the request. */
function buffered(): DestinationStream {
  let buffer = ''
  const flush = () => {
    if (buffer === '') return
    process.stderr.write(buffer)
    buffer = ''
  }
  setInterval(flush, flushMs).unref()
  process.once('exit', flush)
  return {
    write(line) {
      buffer += line
      if (buffer.length >= maxBufferLength) flush()
    },
  }
}
