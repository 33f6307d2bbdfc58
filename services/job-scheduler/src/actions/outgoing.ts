import type { Message, Target } from '@icosa/delivery'
import type { JobContext } from '@icosa/kernel'
import type { SchedulerSettings } from '../settings.ts'
import type { SimpleAction } from './action.ts'
import { brokerMessage } from './broker-message.ts'
import type { Execution } from './execution.ts'
import { httpRequest } from './http-request.ts'
import { fetchToken } from './token.ts'

/** A message and its target. */
export interface Outgoing {
  readonly target: Target
  readonly message: Message
  readonly timeoutMs: number
}

export async function outgoing(
  action: SimpleAction,
  execution: Execution,
  settings: SchedulerSettings,
  context: Pick<JobContext, 'fetch' | 'signal'>,
): Promise<Outgoing> {
  if (!('request' in action)) return brokerMessage(action, execution, settings)
  const { authentication } = action.request
  const isOAuth = authentication?.type === 'ActiveDirectoryOAuth'
  const token = isOAuth ? await fetchToken(authentication, settings.tokenUrl, context) : undefined
  return httpRequest(action.request, execution, token)
}
