import { records } from '../records/store.ts'
import type { LabelMonetaryAccount } from '../shapes/contract.ts'

/** What both sides of a request for money know of it. */
export interface RequestBody {
  readonly amount: string
  readonly responded: string | null
  readonly respondedAt: string | null
  readonly currency: string
  readonly description: string
  readonly alias: LabelMonetaryAccount
  readonly counterparty: LabelMonetaryAccount
  /** The record of the other side; none if it is the sugar daddy. */
  readonly other: string | null
  readonly batch: string | null
  readonly details: Readonly<Record<string, unknown>>
}

const transitions = { PENDING: ['ACCEPTED', 'REJECTED', 'REVOKED'] }
export const inquiries = records<RequestBody>('RequestInquiry', transitions)
export const responses = records<RequestBody>('RequestResponse', transitions)
export const inquiryBatches = records<{ readonly inquiries: readonly string[]; readonly total: object }>(
  'RequestInquiryBatch',
)
