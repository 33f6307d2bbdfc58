import { randomUUID } from 'node:crypto'
import { Failure, implement, invalid, notFound, type ReadingContext } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { findAccount } from '../accounts/store.ts'
import { created, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { amountIn } from '../payments/pay.ts'
import { findPayment, paymentsByIds } from '../payments/store.ts'
import { toPayment } from '../payments/view.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { momentOf } from '../shapes/moments.ts'
import { type AccountParams, placeOf } from '../shapes/places.ts'
import { tabs as contract } from './contract.ts'
import { shareUrl } from './share.ts'
import { type ProfileBody, profileStore, resultStore, type TabBody, tabResponses, tabStore } from './store.ts'
import { type TabContext, tabView } from './tab-view.ts'
import { statusOfTab, toProfile } from './view.ts'

const daysOpen = 30

type ViewContext = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'clock' | 'tenantVault' | 'runtime'>

const tabContext = ({ db, caller, clock, tenantVault, runtime }: ViewContext): TabContext => ({
  db,
  tenant: caller.tenant,
  now: clock.now(),
  tenantVault,
  publicUrl: runtime.publicUrl,
})

async function profileView({ db, caller, tenantVault, runtime }: ViewContext, profile: Stored<ProfileBody>) {
  const account = await existingAccount(db, caller.tenant, profile.body.account)
  const url = shareUrl(runtime.publicUrl, await tenantVault(), {
    tenant: caller.tenant,
    kind: 'fundraiser',
    id: profile.id,
  })
  return toProfile(profile, account, url)
}

async function tabOf(
  { db, caller }: Pick<ViewContext, 'db' | 'caller'>,
  params: AccountParams & { readonly itemId: string },
) {
  return (await tabStore.find(db, caller.tenant, placeOf(params), params.itemId)) ?? notFound('tab', params.itemId)
}

export const tabs = implement<typeof contract, ServiceRuntime>(contract, {
  async createTab({ params, body }, { db, caller, clock }) {
    const {
      amount_inquired: inquired,
      description = '',
      redirect_url: redirectUrl = null,
    } = body.vendorme_tab_entry ?? {}
    if (!inquired) invalid([{ at: 'body/vendorme_tab_entry/amount_inquired', message: 'is required' }])
    const account = await existingAccount(db, caller.tenant, params['monetary-accountID'])
    const at = clock.now()
    const tab: TabBody = {
      uuid: randomUUID(),
      amount: String(amountIn(account.currency, inquired, 'body/vendorme_tab_entry/amount_inquired')),
      currency: account.currency,
      description,
      redirectUrl,
      expiresAt: momentOf(new Date(at.getTime() + daysOpen * 86_400_000)),
      event: body.event_id ?? null,
      payments: [],
    }
    return created(
      await tabStore.insert(db, caller.tenant, placeOf(params), { status: 'WAITING_FOR_PAYMENT', body: tab, at }),
    )
  },
  async listTabs({ params, query }, context) {
    const rows = await tabStore.list(context.db, context.caller.tenant, placeOf(params), query)
    const views = await Promise.all(rows.map((row) => tabView(tabContext(context), row)))
    return listed(
      'VendorMeTab',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getTab({ params }, context) {
    return itemReply('VendorMeTab', await tabView(tabContext(context), await tabOf(context, params)))
  },
  async updateTab({ params, body }, context) {
    const { db, caller, clock } = context
    const { id } = await tabOf(context, params)
    const at = clock.now()
    const tab = (await tabStore.lock(db, caller.tenant, id)) ?? notFound('tab', id)
    const status = statusOfTab(tab, at)
    if (status !== 'WAITING_FOR_PAYMENT') throw new Failure('invalid', `The tab is already ${status.toLowerCase()}.`)
    const { amount_inquired: inquired, description, redirect_url: redirectUrl } = body.vendorme_tab_entry ?? {}
    const { currency } = tab.body
    const amount = inquired && amountIn(currency as 'EUR', inquired, 'body/vendorme_tab_entry/amount_inquired')
    const change: Partial<TabBody> = {
      ...(amount !== undefined && { amount: String(amount) }),
      ...(description !== undefined && { description }),
      ...(redirectUrl !== undefined && { redirectUrl }),
      ...(body.event_id !== undefined && { event: body.event_id }),
    }
    await tabStore.update(db, caller.tenant, id, { status: body.status, body: change, at })
    return created(id)
  },
  async getTabResultResponse({ params }, { db, caller }) {
    const response = await tabResponses.find(db, caller.tenant, placeOf(params), params.itemId)
    const account = params['monetary-accountID']
    const payment = response && (await findPayment(db, caller.tenant, account, response.body.payment))
    if (!payment) return notFound('result', params.itemId)
    return itemReply('VendorMeTabResultResponse', { id: Number(response.id), payment: toPayment(payment) })
  },

  async createFundraiserProfile({ params: { userID: user }, body }, { db, caller, clock }) {
    const { tenant } = caller
    const account = await findAccount(db, tenant, String(body.monetary_account_id))
    if (account?.user !== user)
      return invalid([{ at: 'body/monetary_account_id', message: 'is not an account of the user' }])
    const { color = '#00A6A6', currency = account.currency, description, redirect_url: redirectUrl = null } = body
    if (currency !== account.currency)
      invalid([{ at: 'body/currency', message: `must be ${account.currency}, the currency of the account` }])
    const at = clock.now()
    const profile = { account: account.id, color, currency, description, redirectUrl }
    const id = await profileStore.insert(db, tenant, { user }, { status: 'ACTIVE', body: profile, at })
    const place = { user, account: account.id, parent: id }
    await resultStore.insert(db, tenant, place, { status: 'ACTIVE', body: { profile: id, payments: [] }, at })
    return created(id)
  },
  async listFundraiserProfiles({ params, query }, context) {
    const rows = await profileStore.list(context.db, context.caller.tenant, { user: params.userID }, query)
    const views = await Promise.all(rows.map((row) => profileView(context, row)))
    return listed(
      'VendorMeFundraiserProfile',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getFundraiserProfile({ params }, context) {
    const profile = await profileStore.find(context.db, context.caller.tenant, { user: params.userID }, params.itemId)
    return itemReply(
      'VendorMeFundraiserProfile',
      await profileView(context, profile ?? notFound('profile', params.itemId)),
    )
  },
  async getFundraiserResult({ params }, context) {
    const { db, caller } = context
    const [ofProfile] = await resultStore.list(db, caller.tenant, { ...placeOf(params), parent: params.itemId })
    const result = ofProfile ?? (await resultStore.findAny(db, caller.tenant, params.itemId))
    if (!result || result.account !== params['monetary-accountID']) return notFound('result', params.itemId)
    const profile = await profileStore.findAny(db, caller.tenant, result.body.profile)
    const view = await profileView(context, profile ?? notFound('profile', result.body.profile))
    const { pointer, color, alias, currency, description, attachment, status, redirect_url } = view
    const payments = await paymentsByIds(db, caller.tenant, result.account, result.body.payments)
    return itemReply('VendorMeFundraiserResult', {
      id: Number(result.id),
      created: momentOf(result.createdAt),
      updated: momentOf(result.updatedAt),
      vendorme_fundraiser_profile: {
        ...{ pointer, color, alias, currency, description, attachment, status, redirect_url },
        invite_profile_name: null,
        merchant_available: [],
      },
      payments: payments.map((payment) => ({ Payment: toPayment(payment) })),
    })
  },
})
