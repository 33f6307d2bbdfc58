import { accountOf } from '@icosa/dialects/signed/arn'
import type { EventType } from '../event-destinations/contract.ts'

export interface CallEvent {
  readonly type: EventType
  readonly at: Date
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Whether it is the last event of the call. */
  readonly isFinal: boolean
  readonly seconds?: number | undefined
  readonly endedBy?: 'caller' | 'callee' | undefined
  readonly reason?: string | undefined
}

/** The call of an event. */
export interface Subject {
  readonly tenant: string
  readonly id: string
  readonly set: string | null
  readonly number: string
  readonly caller: string | null
  readonly owner: string | null
}

export const eventVersion = '1.0'

/** Body of an event as destinations receive it. */
export function bodyOf(
  eventId: string,
  { tenant, id, set, number, caller, owner }: Subject,
  event: CallEvent,
  isSimulated: boolean,
) {
  const { type, at, attempt, isFinal, seconds, endedBy, reason } = event
  return {
    eventId,
    eventType: type,
    eventVersion,
    eventTimestamp: at.getTime(),
    accountId: accountOf(tenant),
    messageId: id,
    ...(set !== null && { configurationSetName: set }),
    destinationPhoneNumber: number,
    ...(owner !== null && { originationPhoneNumber: owner }),
    ...(caller !== null && { callerId: caller }),
    attempt,
    isFinal,
    ...(isSimulated && { simulated: true }),
    ...(seconds !== undefined && { durationInSeconds: Math.round(seconds * 100) / 100 }),
    ...(endedBy !== undefined && { endedBy }),
    ...(reason !== undefined && { reason }),
  }
}
