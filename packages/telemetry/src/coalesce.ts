import { isOutage } from '@icosa/kernel'
import type { LoggerOptions } from 'pino'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const windowMs = 10_000
const messagesLimit = 8

/**
 * Rate limit for logs during an outage: each message is written once in ten seconds; the others are counted, and the
 * count is written afterwards.
 */
export function coalesceOutages(say: (text: string) => void): LogMethod {
  let written = new Set<string>()
  let more = 0

  function sum(): void {
    if (more > 0) say(`an outage: ... and ${more} more lines like these in the last 10 s`)
    written = new Set()
    more = 0
  }

  return function logMethod(args, method) {
    const [fields, message = ''] = args
    if (isOutage((fields as { err?: unknown } | undefined)?.err)) {
      if (written.size === 0) setTimeout(sum, windowMs).unref()
      if (written.has(message) || written.size === messagesLimit) return void more++
      written.add(message)
    }
    method.apply(this, args)
  }
}
