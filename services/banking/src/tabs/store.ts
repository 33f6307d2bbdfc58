import { documentStore } from '../documents/store.ts'

export interface TabBody {
  readonly uuid: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly redirectUrl: string | null
  readonly expiresAt: string
  readonly event: number | null
  /** Ids of the payee's payments. */
  readonly payments: readonly string[]
  /** Ids of the payers' responses, in the same order; absent in tabs of earlier versions. */
  readonly responses?: readonly string[]
}

export const tabStore = documentStore<TabBody>('VendorMeTab', { WAITING_FOR_PAYMENT: ['PAID', 'CANCELLED'] })
export const tabResponses = documentStore<{ readonly payment: string; readonly tab: string }>(
  'VendorMeTabResultResponse',
)

export interface ProfileBody {
  readonly account: string
  readonly color: string
  readonly currency: string
  readonly description: string
  readonly redirectUrl: string | null
}

export const profileStore = documentStore<ProfileBody>('VendorMeFundraiserProfile')
/** One per profile: the donations so far. */
export const resultStore = documentStore<{ readonly profile: string; readonly payments: readonly string[] }>(
  'VendorMeFundraiserResult',
)
