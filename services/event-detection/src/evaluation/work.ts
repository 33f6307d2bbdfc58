import { readPayload } from '../expressions/payload.ts'
import type { MailboxPosition } from '../journal/store.ts'
import type { Entry } from '../mailbox/segment.ts'
import type { Rules, Step } from './subject.ts'

/** A message with its position in the mailbox, which identifies it. */
export interface LocatedMessage extends Entry {
  readonly source: MailboxPosition
}

/** A message or a timer, and what came of it. */
export interface Happening {
  readonly at: number
  /** How many actions led to it. */
  readonly depth: number
  readonly message?: LocatedMessage
  readonly step: Omit<Step, 'state'>
}

export interface Worked {
  /** Undefined if nothing could be made of the messages of an instance that was not there. */
  readonly state: unknown
  readonly dueAt: number | undefined
  readonly happenings: readonly Happening[]
}

/** The clock of development may jump by years: a timer that sets itself again does not hold up all others for long. */
const timersAtOnce = 1_000

/**
 * What messages and timers do to an instance, in the order of their time, however late they are looked at: before a message,
 * the timers that had run out when it came; after the last one, those that run out until then.
 */
export function work(
  rules: Rules,
  from: unknown,
  key: string,
  messages: readonly LocatedMessage[],
  until: number,
): Worked {
  const keyValue = key === '' ? undefined : key
  const happenings: Happening[] = []
  let state = from
  let isStuck = false

  const dueAt = () => (state === undefined || isStuck ? undefined : rules.dueAt(state))
  const take = (at: number, cause: Pick<Happening, 'message' | 'depth'>, evaluate: () => Step) => {
    const { state: next, ...step } = attempt(evaluate, state)
    state = next
    happenings.push({ ...cause, at, step })
  }
  const elapse = (time: number, limit = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < limit; count++) {
      const due = dueAt()
      if (due === undefined || due > time) return
      const before = state
      take(due, { depth: 0 }, () => rules.elapse(state, keyValue))
      isStuck = state === before // or it would fire for ever
    }
  }

  for (const message of messages) {
    elapse(message.at)
    const { inputName, messageId, at, depth } = message
    take(at, { message, depth }, () =>
      rules.receive(state, {
        inputName,
        messageId,
        payload: readPayload(message.payload),
        at,
        ...(keyValue !== undefined && { keyValue }),
      }),
    )
  }
  elapse(until, timersAtOnce)
  return { state, dueAt: dueAt(), happenings }
}

/** A message that cannot be evaluated must not keep those behind it from being. */
function attempt(evaluate: () => Step, state: unknown): Step {
  try {
    return evaluate()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { state, effects: [], transitions: [], errors: [{ path: '', expression: '', message }] }
  }
}
