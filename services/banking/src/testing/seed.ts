import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { type Ask, all, euros, idOf, picture } from './bank.ts'

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

async function people({ ask, params, company }: Seeded, avatar_uuid: string): Promise<void> {
  const address = { street: 'Main Street', house_number: '1', postal_code: '1000 AA', city: 'Amsterdam', country: 'NL' }
  const shared = { address_main: address, avatar_uuid }
  await ask.updateUserPerson({ params: { itemId: params.userID }, body: { ...shared, first_name: 'Ada' } })
  await ask.updateUserCompany({ params: { itemId: company }, body: { ...shared, name: 'A shop' } })
}

async function otherAccounts({ ask, params }: Seeded, avatar_uuid: string): Promise<void> {
  const body = { currency: 'EUR', description: 'Another', avatar_uuid }
  const bank = idOf(await ask.createBankAccount({ params, body }))
  const savings = idOf(await ask.createSavingsAccount({ params, body: { ...body, savings_goal: euros('100.00') } }))
  const joint = idOf(await ask.createJointAccount({ params, body }))
  const open = { status: 'ACTIVE', sub_status: 'NONE' } as const
  const changes = { description: 'Renamed', daily_limit: euros('50.00'), avatar_uuid, ...open }
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
  const schedule = { time_start: '2099-01-31 12:00:00.000000', recurrence_unit: 'MONTHLY', recurrence_size: 1 } as const
  const draft = { entries: [order], number_of_required_accepts: 1, schedule }
  const drafted = idOf(await ask.createDraftPayment({ ...inAccount, body: draft }))
  const inDraft = { params: { ...inAccount.params, itemId: drafted } }
  await ask.updateDraftPayment({ ...inDraft, body: { entries: [order], schedule } })
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
  const attachment = idOf(await ask.createAccountAttachment({ ...inAccount, body: picture }))
  const { body: published } = await ask.createPublicAttachment({ body: picture })
  const uuid = published.Response[0]?.Uuid.uuid as string
  await ask.createAvatar({ body: { attachment_public_uuid: uuid } })
  const { body } = await ask.createAvatar({ body: { image: [{ attachment_public_uuid: uuid }] } })
  return { attachment, uuid, avatar: body.Response[0]?.Uuid.uuid as string }
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
  const changes = {
    card_limit: euros('100.00'),
    card_limit_atm: euros('50.00'),
    country_permission: [{ country: 'DE' }],
    primary_account_numbers: [{ id: 1, description: 'Home' }],
    monetary_account_id_fallback: Number(account),
  }
  await ask.updateCard({ params: { ...params, itemId: id }, body: changes })
  return id
}

/** One of everything. */
export const seed: Seed = async (owner) => {
  const seeded = await customers(client(all, owner))
  const { ask, params, inAccount, account, company } = seeded
  const { attachment, uuid, avatar } = await files(seeded)
  await people(seeded, avatar)
  await otherAccounts(seeded, avatar)
  const paid = await pay(seeded)
  await beAsked(seeded)
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
