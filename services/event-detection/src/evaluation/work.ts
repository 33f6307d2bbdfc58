import { readPayload } from '../expressions/payload.ts'
import type { MailboxPosition } from '../journal/store.ts'
import type { Entry } from '../mailbox/segment.ts'
import type { Rules, Step } from './subject.ts'

/** A message with its position in the mailbox, which identifies it. */
export interface LocatedMessage extends Entry {
  readonly source: MailboxPosition
}

/** A message or a timer with its result. */
export interface TriggerResult {
  readonly at: number
  /** Number of actions in the causal chain. */
  readonly depth: number
  readonly message?: LocatedMessage
  readonly step: Omit<Step, 'state'>
}

export interface InstanceResult {
  /** Undefined if no message could create the instance. */
  readonly state: unknown
  readonly dueAt: number | undefined
  readonly results: readonly TriggerResult[]
}

/** Limits timers that restart themselves, since the development clock may jump by years. */
const maxTimers = 1_000

/**
 * Applies messages and timers to an instance in timestamp order, however late: before each message the timers due by then,
 * after the last one those due until `until`.
 */
export function evaluateInstance(
  rules: Rules,
  from: unknown,
  key: string,
  messages: readonly LocatedMessage[],
  until: number,
): InstanceResult {
  const keyValue = key === '' ? undefined : key
  const results: TriggerResult[] = []
  let state = from
  let isStuck = false

  const dueAt = () => (state === undefined || isStuck ? undefined : rules.dueAt(state))
  const take = (at: number, cause: Pick<TriggerResult, 'message' | 'depth'>, evaluate: () => Step) => {
    const { state: next, ...step } = attempt(evaluate, state)
    state = next
    results.push({ ...cause, at, step })
  }
  const elapse = (time: number, limit = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < limit; count++) {
      const due = dueAt()
      if (due === undefined || due > time) return
      const before = state
      take(due, { depth: 0 }, () => rules.elapse(state, keyValue))
      isStuck = state === before // else it would fire forever
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
  elapse(until, maxTimers)
  return { state, dueAt: dueAt(), results }
}

/** A message that fails must not block later ones. */
function attempt(evaluate: () => Step, state: unknown): Step {
  try {
    return evaluate()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { state, effects: [], transitions: [], errors: [{ path: '', expression: '', message }] }
  }
}
