import { isOutage } from '@icosa/kernel'
import type { LoggerOptions } from 'pino'

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

const windowMs = 10_000
const maxMessages = 8

/**
 * Rate limit for logs during an outage: each message is written once in ten seconds; the others are counted, and the
 * count is written afterwards.
 */
export function coalesceOutages(write: (text: string) => void): LogMethod {
  let messages = new Set<string>()
  let suppressed = 0

  function summarize(): void {
    if (suppressed > 0) write(`an outage: ... and ${suppressed} more lines like these in the last 10 s`)
    messages = new Set()
    suppressed = 0
  }

  return function logMethod(args, method) {
    const [fields, message = ''] = args
    if (isOutage((fields as { err?: unknown } | undefined)?.err)) {
      if (messages.size === 0) setTimeout(summarize, windowMs).unref()
      if (messages.has(message) || messages.size === maxMessages) return void suppressed++
      messages.add(message)
    }
    method.apply(this, args)
  }
}
