import { setTimeout as delay } from 'node:timers/promises'
import type { Fleet } from '../fleet.ts'
import type { Instance } from '../instance.ts'
import type { Abort } from './abort.ts'
import type { Sent } from './forward.ts'
import { Refusal } from './refusal.ts'

/** How long one that is about to end takes to be gone. */
const endsMs = 3_000
/** A request that did not reach its instance is sent to the next one, but not for ever. */
const attempts = 3

/**
 * Finds an instance and lets it answer. Answers what the caller is to be told where the function says nothing: undefined if it
 * answered, or if nobody waits any more.
 */
export function ask(
  fleet: Fleet,
  id: string,
  abort: Abort,
  send: (instance: Instance) => Promise<Sent>,
): Promise<Refusal | undefined> {
  return fleet.during(() => attempted(fleet, id, abort, send))
}

async function attempted(
  fleet: Fleet,
  id: string,
  abort: Abort,
  send: (instance: Instance) => Promise<Sent>,
): Promise<Refusal | undefined> {
  const { timeoutMs } = fleet.revision
  let timer: NodeJS.Timeout | undefined
  try {
    for (let attempt = 1; ; attempt++) {
      const entered = fleet.enter(abort)
      const instance = entered instanceof Promise ? await entered : entered
      // From now on: that it had to wait, or that an instance had to be started, takes none of its time.
      timer ??= setTimeout(() => abort.abort('time'), timeoutMs)
      const sent = await send(instance)
      if (sent.is === 'aborted' && abort.reason === 'time') fleet.late(instance)
      if (sent.is === 'broken' || sent.is === 'cut' || (sent.is === 'answered' && sent.isCrash)) fleet.doubt(instance)
      fleet.leave(instance)
      if (sent.is === 'unsent' && attempt < attempts && abort.reason === undefined) continue
      return await told(fleet, id, abort, instance, sent)
    }
  } catch (error) {
    if (abort.reason === 'time') return late(fleet, id)
    if (abort.reason === 'caller') return undefined
    if (error instanceof Refusal) return error
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function told(
  fleet: Fleet,
  id: string,
  { reason }: Abort,
  instance: Instance,
  sent: Sent,
): Promise<Refusal | undefined> {
  if (sent.is === 'answered' || sent.is === 'cut') return undefined
  if (sent.is === 'aborted') return reason === 'time' ? late(fleet, id) : undefined
  if (sent.is === 'failed') return fleet.refused(id, new Refusal(sent.status, sent.message))
  const why = await Promise.race([instance.ended, delay(endsMs, undefined, { ref: false })])
  const message =
    why === undefined
      ? 'The function closed the connection without an answer.'
      : `The function ended before it answered. ${why}`
  return fleet.refused(id, new Refusal(502, message))
}

const late = (fleet: Fleet, id: string) =>
  fleet.refused(id, new Refusal(504, `The function did not answer within its ${fleet.revision.timeoutMs / 1_000} s.`))
