import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { type Ask, all, euros, idOf } from './bank.ts'

interface Seeded {
  readonly ask: Ask
  readonly params: { readonly userID: string }
  readonly inAccount: { readonly params: { readonly userID: string; readonly 'monetary-accountID': string } }
  readonly account: string
  readonly company: string
  readonly companyIban: string
}

/** Two users of one bank, and some money. */
async function customers(ask: Ask): Promise<Seeded> {
  await ask.createSandboxUserPerson({})
  await ask.createSandboxUserCompany({})
  const { body: everybody } = await ask.listUsers({})
  const found = everybody.Response as readonly { UserPerson?: { id: number }; UserCompany?: { id: number } }[]
  const company = String(found.find((one) => one.UserCompany)?.UserCompany?.id)
  const userID = String(found.find((one) => one.UserPerson)?.UserPerson?.id)
  const of = async (user: string) => {
    const { body } = await ask.listBankAccounts({ params: { userID: user } })
    const bank = body.Response[0]?.MonetaryAccountBank
    return { id: String(bank?.id), iban: bank?.alias[0]?.value as string }
  }
  const [own, other] = [await of(userID), await of(company)]
  const inAccount = { params: { userID, 'monetary-accountID': own.id } }
  const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
  for (const description of ['Please', 'Please!', 'Please!!'])
    await ask.createRequestInquiry({
      ...inAccount,
      body: { amount_inquired: euros('500.00'), counterparty_alias: sugar, description },
    })
  return { ask, params: { userID }, inAccount, account: own.id, company, companyIban: other.iban }
}

async function people({ ask, params, company }: Seeded): Promise<void> {
  const address = { street: 'Main Street', house_number: '1', postal_code: '1000 AA', city: 'Amsterdam', country: 'NL' }
  await ask.updateUserPerson({ params: { itemId: params.userID }, body: { first_name: 'Ada', address_main: address } })
  await ask.updateUserCompany({ params: { itemId: company }, body: { name: 'A shop', address_main: address } })
}

async function otherAccounts({ ask, params }: Seeded): Promise<void> {
  const body = { currency: 'EUR', description: 'Another' }
  const bank = idOf(await ask.createBankAccount({ params, body }))
  const savings = idOf(await ask.createSavingsAccount({ params, body: { ...body, savings_goal: euros('100.00') } }))
  const joint = idOf(await ask.createJointAccount({ params, body }))
  const changes = { description: 'Renamed', daily_limit: euros('50.00'), status: 'ACTIVE', sub_status: 'NONE' } as const
  await ask.updateBankAccount({ params: { ...params, itemId: bank }, body: changes })
  await ask.updateSavingsAccount({ params: { ...params, itemId: savings }, body: changes })
  await ask.updateJointAccount({ params: { ...params, itemId: joint }, body: changes })
}

/** The ids of what there is to put notes beside. */
async function pay({ ask, inAccount, companyIban }: Seeded) {
  const counterparty_alias = { type: 'IBAN', value: companyIban, name: 'A shop' }
  const order = { amount: euros('1.00'), counterparty_alias, description: 'Bread' }
  const payment = idOf(await ask.createPayment({ ...inAccount, body: order }))
  const batch = idOf(await ask.createPaymentBatch({ ...inAccount, body: { payments: [order, order] } }))
  const request = { amount_inquired: euros('2.00'), counterparty_alias, description: 'Rent' }
  const requests = { request_inquiries: [request], total_amount_inquired: euros('2.00') }
  const inquiry = idOf(await ask.createRequestInquiry({ ...inAccount, body: request }))
  const inquiries = idOf(await ask.createRequestInquiryBatch({ ...inAccount, body: requests }))
  const draft = { entries: [order], number_of_required_accepts: 1 }
  const drafted = idOf(await ask.createDraftPayment({ ...inAccount, body: draft }))
  const inDraft = { params: { ...inAccount.params, itemId: drafted } }
  await ask.updateDraftPayment({ ...inDraft, body: { entries: [order] } })
  const schedule = { time_start: '2099-01-31 12:00:00.000000', recurrence_unit: 'MONTHLY', recurrence_size: 1 } as const
  const body = { payment: order, schedule }
  const scheduled = idOf(await ask.createSchedulePayment({ ...inAccount, body }))
  await ask.updateSchedulePayment({ params: { ...inAccount.params, itemId: scheduled }, body })
  const days = { statement_format: 'CSV', date_start: '2026-01-01', date_end: '2026-12-31' } as const
  const statement = idOf(await ask.createStatement({ ...inAccount, body: days }))
  return { payment, batch, inquiry, inquiries, drafted, scheduled, statement }
}

async function beAsked({ ask, inAccount, params, account }: Seeded): Promise<void> {
  const entry = { amount_inquired: euros('5.00'), description: 'Cake', redirect_url: 'https://shop.example/thanks' }
  const tab = idOf(await ask.createTab({ ...inAccount, body: { vendorme_tab_entry: entry, event_id: 1 } }))
  const changed = { vendorme_tab_entry: { ...entry, description: 'Cakes' } }
  await ask.updateTab({ params: { ...inAccount.params, itemId: tab }, body: changed })
  const body = { monetary_account_id: Number(account), description: 'A new roof', currency: 'EUR' }
  await ask.createFundraiserProfile({ params, body })
}

async function files({ ask, inAccount }: Seeded) {
  const picture = { mediaType: 'image/png', content: new Uint8Array([137, 80, 78, 71]) }
  const attachment = idOf(await ask.createAccountAttachment({ ...inAccount, body: picture }))
  const { body: published } = await ask.createPublicAttachment({ body: picture })
  const uuid = published.Response[0]?.Uuid.uuid as string
  await ask.createAvatar({ body: { image: [{ attachment_public_uuid: uuid }] } })
  return { attachment, uuid }
}

async function applications({ ask, params }: Seeded): Promise<string> {
  const id = idOf(await ask.createOauthClient({ params, body: { status: 'ACTIVE' } }))
  await ask.updateOauthClient({ params: { ...params, itemId: id }, body: { status: 'ACTIVE' } })
  const below = { ...params, 'oauth-clientID': id }
  const url = idOf(await ask.createCallbackUrl({ params: below, body: { url: 'https://shop.example/back' } }))
  await ask.updateCallbackUrl({ params: { ...below, itemId: url }, body: { url: 'https://shop.example/there' } })
  return id
}

async function card({ ask, params, account }: Seeded): Promise<string> {
  const name = { name_on_card: 'A. Person', second_line: 'Home', type: 'MASTERCARD' } as const
  const id = idOf(
    await ask.createCardDebit({ params, body: { ...name, monetary_account_id_fallback: Number(account) } }),
  )
  const changes = { card_limit: euros('100.00'), monetary_account_id_fallback: Number(account) }
  await ask.updateCard({ params: { ...params, itemId: id }, body: changes })
  return id
}

/** One of everything. */
export const seed: Seed = async (owner) => {
  const seeded = await customers(client(all, owner))
  const { ask, params, inAccount, account, company } = seeded
  await people(seeded)
  await otherAccounts(seeded)
  const paid = await pay(seeded)
  await beAsked(seeded)
  const { attachment, uuid } = await files(seeded)
  const oauthClient = await applications(seeded)
  const cardID = await card(seeded)
  await ask.createCategory({ params, body: { status: 'ACTIVE', category: 'HOBBY', description: 'Hobbies' } })
  const filters = [{ category: 'PAYMENT', notification_target: 'https://shop.example/told' } as const]
  await ask.setUserFilters({ params, body: { notification_filters: filters } })
  await ask.setAccountFilters({ ...inAccount, body: { notification_filters: filters } })
  return {
    userID: params.userID,
    itemId: paid.payment,
    attachmentID: attachment,
    cardID,
    'monetary-accountID': account,
    'oauth-clientID': oauthClient,
    'user-companyID': company,
    installationID: '1',
    'attachment-publicUUID': uuid,
    'customer-statementID': paid.statement,
    invoiceID: '1',
    paymentID: paid.payment,
    'payment-batchID': paid.batch,
    'draft-paymentID': paid.drafted,
    'request-inquiryID': paid.inquiry,
    'request-inquiry-batchID': paid.inquiries,
    'request-responseID': '1',
    'schedule-paymentID': paid.scheduled,
    scheduleID: paid.scheduled,
    'schedule-instanceID': '1',
    'mastercard-actionID': '1',
    'vendorme-fundraiser-resultID': '1',
  }
}
