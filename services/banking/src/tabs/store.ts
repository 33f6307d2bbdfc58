import { records } from '../records/store.ts'

export interface TabBody {
  readonly uuid: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly redirectUrl: string | null
  readonly expiresAt: string
  readonly event: number | null
  /** What was paid, as the one who asked sees it. */
  readonly payments: readonly string[]
  /** The ids of what the payers read, in the same order; absent in tabs of earlier versions. */
  readonly responses?: readonly string[]
}

export const tabRecords = records<TabBody>('VendorMeTab', { WAITING_FOR_PAYMENT: ['PAID', 'CANCELLED'] })
export const tabResponses = records<{ readonly payment: string; readonly tab: string }>('VendorMeTabResultResponse')

export interface ProfileBody {
  readonly account: string
  readonly color: string
  readonly currency: string
  readonly description: string
  readonly redirectUrl: string | null
}

export const profileRecords = records<ProfileBody>('VendorMeFundraiserProfile')
/** One for each profile: what was given so far. */
export const resultRecords = records<{ readonly profile: string; readonly payments: readonly string[] }>(
  'VendorMeFundraiserResult',
)
