import { documentStore } from '../documents/store.ts'
import type { LabelMonetaryAccount } from '../shapes/contract.ts'

/** Stored once for each side of a request for money. */
export interface RequestBody {
  readonly amount: string
  readonly responded: string | null
  readonly respondedAt: string | null
  readonly currency: string
  readonly description: string
  readonly alias: LabelMonetaryAccount
  readonly counterparty: LabelMonetaryAccount
  /** The id of the other side's document; null for the sugar daddy. */
  readonly other: string | null
  readonly batch: string | null
  readonly details: Readonly<Record<string, unknown>>
}

const transitions = { PENDING: ['ACCEPTED', 'REJECTED', 'REVOKED'] }
export const inquiries = documentStore<RequestBody>('RequestInquiry', transitions)
export const responses = documentStore<RequestBody>('RequestResponse', transitions)
export const inquiryBatches = documentStore<{ readonly inquiries: readonly string[]; readonly total: object }>(
  'RequestInquiryBatch',
)
