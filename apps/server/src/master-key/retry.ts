import { setTimeout as sleep } from 'node:timers/promises'
import { type Failure, isOutage } from '@icosa/kernel'

const patienceMs = 300_000
const pauseMs = 1_000

/** Error codes for a server that is unreachable, starting, stopping or out of connections. */
const away = /^(08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)/

function isAway(error: unknown): boolean {
  const { code = '', kind, message } = error as Partial<Failure> & Error
  if (isOutage(error) || kind === 'unavailable') return true
  return away.test(code) || /connection (terminated|error)|timeout/i.test(message)
}

export type Retry = <T>(step: () => Promise<T>) => Promise<T>

/** Retries an idempotent step while the database is unavailable, for at most five minutes. */
export function retryDuringOutage(remark: (line: string) => void): Retry {
  return async (step) => {
    const until = performance.now() + patienceMs
    for (let isReported = false; ; isReported = true) {
      try {
        return await step()
      } catch (error) {
        if (!isAway(error) || performance.now() > until) throw error
        if (!isReported) remark(`The database cannot be reached (${(error as Error).message}): trying again.`)
        await sleep(pauseMs)
      }
    }
  }
}
