import type { Static } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import type { ModerationActionSubmission } from '../shapes/contract.ts'

const state = (id: string, label: string, isPublic = false) => ({ id, label, public: isPublic })

/** Moderation states. Only approved contributions are public. */
export const states = {
  pending: state('pending', 'Awaiting moderation'),
  approved: state('approved', 'Approved', true),
  rejected: state('rejected', 'Rejected'),
  escalated: state('escalated', 'Escalated'),
}
export type State = keyof typeof states
export const isState = (text: string): text is State => Object.hasOwn(states, text)

const action = (id: string, label: string, resultingState: State) => ({
  id,
  label,
  resultingState: states[resultingState],
})

export const actions = {
  approve: action('approve', 'Approve', 'approved'),
  reject: action('reject', 'Reject', 'rejected'),
  escalate: action('escalate', 'Escalate', 'escalated'),
  reset: action('reset', 'Return to the queue', 'pending'),
}
export type Action = keyof typeof actions

/** The requested action. Refuses a label or state that contradicts it. */
export function actionOf({ id, label, resultingState }: Static<typeof ModerationActionSubmission>): Action {
  if (!Object.hasOwn(actions, id))
    return invalid([{ at: 'body/action/id', message: `must be one of ${Object.keys(actions).join(', ')}` }])
  const { label: expectedLabel, resultingState: result } = actions[id as Action]
  if (label !== undefined && label !== expectedLabel)
    invalid([{ at: 'body/action/label', message: `must be '${expectedLabel}' for ${id}` }])
  const contradicts =
    resultingState !== undefined &&
    (resultingState.id !== result.id ||
      (resultingState.label ?? result.label) !== result.label ||
      (resultingState.public ?? result.public) !== result.public)
  if (contradicts)
    invalid([{ at: 'body/action/resultingState', message: `must be ${JSON.stringify(result)} for ${id}` }])
  return id as Action
}
