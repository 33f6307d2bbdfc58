import { documentStore } from '../documents/store.ts'

export interface TopUpBody {
  readonly uuid: string
  readonly issuer: string
  readonly amount: string
  readonly currency: string
  readonly expiresAt: string
}

export const topUpStore = documentStore<TopUpBody>('IdealMerchantTransaction', {
  OPEN: ['SUCCESS', 'FAILURE', 'EXPIRED'],
})

const minuteMs = 60_000

export interface Issuer {
  readonly name: string
  readonly answersAfterMs: number
  readonly answer: 'SUCCESS' | 'FAILURE' | 'EXPIRED'
}

/** Fictitious banks: each has an account of its own in the ledger, and answers in its own way. */
export const issuers: Readonly<Record<string, Issuer>> = {
  PAYSNL2A: { name: 'Prompt Bank', answersAfterMs: minuteMs, answer: 'SUCCESS' },
  SLOWNL2A: { name: 'Slow Bank', answersAfterMs: 1_440 * minuteMs, answer: 'SUCCESS' },
  DENYNL2A: { name: 'Refusing Bank', answersAfterMs: minuteMs, answer: 'FAILURE' },
  NONENL2A: { name: 'Silent Bank', answersAfterMs: 15 * minuteMs, answer: 'EXPIRED' },
}
