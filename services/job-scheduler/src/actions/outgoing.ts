import type { Message, Target } from '@icosa/delivery'
import type { SchedulerSettings } from '../settings.ts'
import type { SimpleAction } from './action.ts'
import { brokerMessage } from './broker-message.ts'
import type { Execution } from './execution.ts'
import { httpRequest } from './http-request.ts'

/** What an action sends, and where to. */
export interface Outgoing {
  readonly target: Target
  readonly message: Message
  readonly timeoutMs: number
}

export const outgoing = (action: SimpleAction, execution: Execution, settings: SchedulerSettings): Outgoing =>
  'request' in action ? httpRequest(action.request, execution) : brokerMessage(action, execution, settings)
