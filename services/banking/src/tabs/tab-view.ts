import type { ReadingDb, Vault } from '@icosa/kernel'
import { accountNamed } from '../accounts/named.ts'
import { paymentsByIds } from '../payments/store.ts'
import type { Record as Kept } from '../records/store.ts'
import { shareUrl } from './share.ts'
import type { TabBody } from './store.ts'
import { toTab } from './view.ts'

/** What it takes to show a tab. */
export interface TabReading {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
  readonly vault: Vault
  readonly publicUrl: string
}

export async function shownTab({ db, tenant, now, vault, publicUrl }: TabReading, kept: Kept<TabBody>) {
  const account = await accountNamed(db, tenant, kept.account as string)
  const payments = await paymentsByIds(db, tenant, account.id, kept.body.payments)
  const url = shareUrl(publicUrl, vault, { tenant, kind: 'tab', id: kept.id })
  return toTab(kept, { account, payments, now, url })
}
