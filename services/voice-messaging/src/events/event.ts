import { accountOf } from '@icosa/dialects/signed/arn'
import type { EventType } from '../event-destinations/contract.ts'

/** Something that happened in a call. */
export interface Happening {
  readonly type: EventType
  readonly at: Date
  /** Which attempt it was, from 1. */
  readonly attempt: number
  /** Nothing follows. */
  readonly isFinal: boolean
  readonly seconds?: number | undefined
  readonly endedBy?: 'caller' | 'callee' | undefined
  readonly reason?: string | undefined
}

/** Whose call it was. */
export interface Subject {
  readonly tenant: string
  readonly id: string
  readonly set: string | null
  readonly number: string
  readonly caller: string | null
  readonly owner: string | null
}

export const eventVersion = '1.0'

/** What a destination receives, in JSON. */
export function bodyOf(
  eventId: string,
  { tenant, id, set, number, caller, owner }: Subject,
  happening: Happening,
  isSimulated: boolean,
) {
  const { type, at, attempt, isFinal, seconds, endedBy, reason } = happening
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
