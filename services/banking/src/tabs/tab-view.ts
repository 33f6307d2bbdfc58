import type { ReadingContext, ReadingDb } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import type { Stored } from '../documents/store.ts'
import { paymentsByIds } from '../payments/store.ts'
import { shareUrl } from './share.ts'
import type { TabBody } from './store.ts'
import { toTab } from './view.ts'

export interface TabContext extends Pick<ReadingContext, 'tenantVault'> {
  readonly db: ReadingDb
  readonly tenant: string
  readonly now: Date
  readonly publicUrl: string
}

export async function tabView({ db, tenant, now, tenantVault, publicUrl }: TabContext, tab: Stored<TabBody>) {
  const account = await existingAccount(db, tenant, tab.account as string)
  const payments = await paymentsByIds(db, tenant, account.id, tab.body.payments)
  const url = shareUrl(publicUrl, await tenantVault(), { tenant, kind: 'tab', id: tab.id })
  return toTab(tab, { account, payments, now, url })
}
