import { Failure, type JobContext, job } from '@icosa/kernel'
import type { ResourceGroupsSettings } from '../settings.ts'
import type { GroupEvent } from './event.ts'

/** Hands an event over, or throws. Another way out for events is another one of these. */
type Deliver = (event: GroupEvent, context: JobContext) => Promise<void>

const answerMs = 10_000
const answerBytes = 65_536

/** Tried for about an hour: 1 s, 2 s, 4 s and so on after each failure. */
const retries = 12

/** An event on its way. It may arrive twice, with the same id, and later than one of a higher number. */
export function deliverJob({ eventsUrl }: ResourceGroupsSettings) {
  return job<GroupEvent>('deliverEvent', { retries, run: eventsUrl === undefined ? toLog : toAddress(eventsUrl) })
}

const toLog: Deliver = async (event, { log }) => {
  log.info({ event }, 'group event')
}

function toAddress(url: string): Deliver {
  return async (event, { fetch, signal }) => {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal,
      timeoutMs: answerMs,
      maxBytes: answerBytes,
    })
    if (status < 200 || status > 299) throw new Failure('unavailable', `The receiver of events answered ${status}.`)
  }
}
