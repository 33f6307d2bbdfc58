import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, clientAt, euros, idOf, openBank, signIn } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer
let cleo: Customer

beforeAll(async () => {
  bank = await openBank()
  await bank.app.clock.move({ to: new Date('2026-03-02T10:00:00Z') }) // a Monday
  ada = await bank.customer('100.00')
  bram = await bank.customer()
  cleo = await bank.customer()
})
afterEach(async () => {
  const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
  expect(await reconcile(bank.app.platform.database, 'bank')).toEqual(balanced)
})
afterAll(() => bank[Symbol.asyncDispose]())

type Invite = Parameters<Customer['api']['createShareInquiry']>[0]['body']
const views = { view_balance: true, view_old_events: true, view_new_events: true }

/** Ada invites, and the other accepts. */
async function share(invite: Omit<Invite, 'counter_user_alias'>, other = bram) {
  const body = { counter_user_alias: other.pointer, ...invite }
  const inquiry = idOf(await ada.api.createShareInquiry({ params: ada.account, body }))
  const { body: received } = await other.api.listShareResponses({ params: other.user })
  const response = String(received.Response[0]?.ShareInviteMonetaryAccountResponse.id)
  await other.api.updateShareResponse({ params: { ...other.user, itemId: response }, body: { status: 'ACCEPTED' } })
  return { inquiry, response }
}
const end = (inquiry: string) =>
  ada.api.updateShareInquiry({ params: { ...ada.account, itemId: inquiry }, body: { status: 'REVOKED' } })
/** Ada's account, as another user addresses it. */
const through = (user: Customer) => ({ ...user.user, 'monetary-accountID': ada.account['monetary-accountID'] })
const pay = (user: Customer, value: string, headers = {}) => {
  const body = { amount: euros(value), counterparty_alias: cleo.pointer, description: 'Shared' }
  return bank.api.createPayment({ params: through(user), headers, body })
}
const notFound = { status: 404 }

test('an invitee pays from a shared account within the budget of each week', async () => {
  const budget = { amount: euros('10.00'), frequency: 'WEEKLY' } as const
  const detail = { ...views, make_payments: true, budget }
  await expect(pay(bram, '1.00'), 'not invited').rejects.toMatchObject(notFound)
  const { inquiry, response } = await share({ share_detail: { ShareDetailPayment: detail } })
  const headers = { 'x-vendor-client-request-id': 'once' }
  const first = idOf(await pay(bram, '6.00', headers))
  expect(idOf(await pay(bram, '6.00', headers)), 'a repeated payment is counted once').toBe(first)
  await expect(pay(bram, '4.01')).rejects.toMatchObject({ status: 400 })
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => pay(bram, '4.00')))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect([await bank.balance(ada), await bank.balance(cleo)]).toEqual(['90.00', '10.00'])
  const { body } = await bram.api.getShareResponse({ params: { ...bram.user, itemId: response } })
  expect(body.Response[0]?.ShareInviteMonetaryAccountResponse).toMatchObject({
    status: 'ACCEPTED',
    access_type: 'FULL_TRANSIENT',
    monetary_account_id: Number(ada.account['monetary-accountID']),
    share_detail: { ShareDetailPayment: { budget: { amount: euros('10.00'), amount_available: euros('0.00') } } },
  })
  await bank.app.clock.advance(7 * 86_400_000)
  await pay(bram, '10.00')
  await expect(pay(bram, '0.01')).rejects.toMatchObject({ status: 400 })
  await end(inquiry)
  await expect(pay(bram, '0.01'), 'revoked').rejects.toMatchObject(notFound)
})

test('an invitee sees what the share shows, and nothing else of the owner', async () => {
  const seen = async (user: Customer) => {
    const { body } = await user.api.listPayments({ params: through(user) })
    return body.Response.map(({ Payment }) => Payment.amount.value)
  }
  const before = await seen(ada)
  const { inquiry } = await share({ share_detail: { read_only: { view_balance: true, view_new_events: true } } })
  expect(await seen(bram)).toEqual([])
  await bank.app.clock.advance(1_000)
  await pay(ada, '1.00')
  expect(await seen(bram)).toEqual(['-1.00'])
  const { body } = await ada.api.listPayments({ params: ada.account, query: { count: 200 } })
  const oldest = { ...through(bram), itemId: String(body.Response.at(-1)?.Payment.id) }
  await expect(bram.api.getPayment({ params: oldest })).rejects.toMatchObject(notFound)
  await bram.api.getBankAccount({ params: { ...bram.user, itemId: ada.account['monetary-accountID'] } })
  const { body: listed } = await bram.api.listBankAccounts({ params: bram.user })
  expect(listed.Response.map((item) => item.MonetaryAccountBank.user_id)).toContain(Number(ada.user.userID))
  await expect(pay(bram, '1.00'), 'read only').rejects.toMatchObject(notFound)
  const rename = { params: { ...bram.user, itemId: ada.account['monetary-accountID'] }, body: { description: 'Mine' } }
  await expect(bram.api.updateBankAccount(rename)).rejects.toMatchObject(notFound)
  for (const forbidden of [
    () => bram.api.listShareInquiries({ params: through(bram) }),
    () => bram.api.listStatements({ params: through(bram) }),
    () => bram.api.listRequestInquiries({ params: through(bram) }),
    () => bram.api.getShareInquiry({ params: { ...bram.account, itemId: inquiry } }),
    () => cleo.api.listPayments({ params: through(cleo) }),
  ])
    await expect(forbidden()).rejects.toMatchObject(notFound)
  await end(inquiry)
  await expect(end(inquiry), 'revoked already').rejects.toMatchObject({ status: 400 })
  expect(before.length).toBeGreaterThan(0)
  await expect(seen(bram)).rejects.toMatchObject(notFound)
})

test('an invitee drafts payments, which the owner accepts', async () => {
  const { inquiry, response } = await share({ access_type: 'DRAFT_PAYMENT' })
  const order = { amount: euros('3.00'), counterparty_alias: cleo.pointer, description: 'Draft' }
  const body = { entries: [order], number_of_required_accepts: 1 }
  const itemId = idOf(await bram.api.createDraftPayment({ params: through(bram), body }))
  await bram.api.getDraftPayment({ params: { ...through(bram), itemId } })
  const accept = (customer: Customer) =>
    customer.api.updateDraftPayment({ params: { ...through(customer), itemId }, body: { status: 'ACCEPTED' } })
  await expect(accept(bram)).rejects.toMatchObject(notFound)
  const before = Number(await bank.balance(cleo))
  await accept(ada)
  expect(Number(await bank.balance(cleo)) - before).toBeCloseTo(3)
  await bram.api.updateShareResponse({ params: { ...bram.user, itemId: response }, body: { status: 'CANCELLED' } })
  await expect(bram.api.createDraftPayment({ params: through(bram), body })).rejects.toMatchObject(notFound)
  const { body: ended } = await ada.api.getShareInquiry({ params: { ...ada.account, itemId: inquiry } })
  expect(ended.Response[0]?.ShareInviteMonetaryAccountInquiry).toMatchObject({
    status: 'CANCELLED',
    user_alias_revoked: { display_name: expect.any(String) },
  })
})

test('a share begins and ends by the clock', async () => {
  const day = (days: number) => new Date(bank.app.platform.clock.now().getTime() + days * 86_400_000).toISOString()
  const { inquiry } = await share({ access_type: 'FULL_TRANSIENT', start_date: day(1), end_date: day(2) })
  await expect(pay(bram, '0.10'), 'not yet').rejects.toMatchObject(notFound)
  await bank.app.clock.advance(86_400_000)
  await pay(bram, '0.10')
  await bank.app.clock.advance(86_400_000)
  await expect(pay(bram, '0.10'), 'no longer').rejects.toMatchObject(notFound)
  const { body } = await ada.api.getShareInquiry({ params: { ...ada.account, itemId: inquiry } })
  expect(body.Response[0]?.ShareInviteMonetaryAccountInquiry.status).toBe('EXPIRED')
})

test('both sides have an event, and their subscribers are notified', async () => {
  const { inquiry } = await share({ access_type: 'VIEW_BALANCE' })
  const latest = async ({ api, user }: Customer) =>
    Object.entries((await api.listEvents({ params: user })).body.Response[0]?.Event.object ?? {})
  expect(await latest(ada)).toEqual([['ShareInviteBankInquiry', expect.objectContaining({ status: 'ACCEPTED' })]])
  expect(await latest(bram)).toEqual([['ShareInviteBankResponse', expect.objectContaining({ status: 'ACCEPTED' })]])
  const again = { counter_user_alias: bram.pointer, access_type: 'VIEW_BALANCE' } as const
  const twice = ada.api.createShareInquiry({ params: ada.account, body: again })
  await expect(twice, 'invited already').rejects.toMatchObject({ status: 400 })
  await end(inquiry)
})

test.each([
  ['nothing granted', { share_detail: { read_only: {} } }],
  ['two details', { share_detail: { read_only: views, payment: { ...views, make_payments: true } } }],
  ['a detail and an access type', { share_detail: { read_only: views }, access_type: 'VIEW_BALANCE' }],
  ['neither', {}],
  ['events without the balance', { share_detail: { read_only: { view_new_events: true } } }],
  ['an end in the past', { access_type: 'VIEW_BALANCE', end_date: '2020-01-01 00:00:00' }],
  ['an end that is no day', { access_type: 'VIEW_BALANCE', end_date: '2099-99-01 00:00:00' }],
  [
    'a budget in another currency',
    {
      share_detail: {
        payment: { make_payments: true, budget: { amount: { value: '1', currency: 'USD' }, frequency: 'DAILY' } },
      },
    },
  ],
] as const)('an invitation with %s is rejected', async (_, invite) => {
  const body = { counter_user_alias: cleo.pointer, ...(invite as object) }
  await expect(ada.api.createShareInquiry({ params: ada.account, body })).rejects.toMatchObject({ status: 400 })
})

test('nobody can be invited from another bank, or invite oneself; mutual shares are not supported', async () => {
  const invite = (counter_user_alias: Customer['pointer'], more = {}) =>
    ada.api.createShareInquiry({
      params: ada.account,
      body: { counter_user_alias, access_type: 'VIEW_BALANCE', ...more },
    })
  await expect(invite(ada.pointer)).rejects.toMatchObject({ status: 400 })
  const elsewhere = { type: 'IBAN', value: 'NL91ABNA0417164300', name: 'A shop' }
  await expect(invite(elsewhere)).rejects.toMatchObject({ status: 400 })
  await expect(invite(cleo.pointer, { share_type: 'MUTUAL' })).rejects.toMatchObject({ status: 501 })
  const anotherBank = clientAt(bank.url, await bank.app.key('another'))
  await expect(anotherBank.listShareInquiries({ params: ada.account })).rejects.toMatchObject(notFound)
  await expect(anotherBank.listShareResponses({ params: bram.user })).rejects.toMatchObject(notFound)
})

test('a session needs a signature to share an account, and sees only its own invitations', async () => {
  const { api, token } = await signIn(bank.url, ada.key)
  const body = { counter_user_alias: cleo.pointer, access_type: 'FULL_TRANSIENT' } as const
  const { userID, 'monetary-accountID': account } = ada.account
  const response = await fetch(
    `${bank.url}/v1/user/${userID}/monetary-account/${account}/share-invite-monetary-account-inquiry`,
    {
      method: 'POST',
      headers: { 'x-vendor-client-authentication': token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  expect(response.status).toBe(466)
  const inquiry = idOf(await api.createShareInquiry({ params: ada.account, body }))
  await expect(api.listShareResponses({ params: cleo.user })).rejects.toMatchObject(notFound)
  await end(inquiry)
})
