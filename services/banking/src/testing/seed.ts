import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { all, type BankClient, euros, idOf, picture, signIn } from './bank.ts'

interface Seeded {
  readonly api: BankClient
  readonly params: { readonly userID: string }
  readonly inAccount: { readonly params: { readonly userID: string; readonly 'monetary-accountID': string } }
  readonly key: string
  readonly account: string
  readonly iban: string
  readonly company: string
  readonly companyIban: string
}

/** Creates two users with some money. */
async function customers(api: BankClient): Promise<Seeded> {
  const { body: person } = await api.createSandboxUserPerson({})
  await api.createSandboxUserCompany({})
  const { body: listed } = await api.listUsers({})
  const users = listed.Response as readonly { UserPerson?: { id: number }; UserCompany?: { id: number } }[]
  const company = String(users.find((user) => user.UserCompany)?.UserCompany?.id)
  const userID = String(users.find((user) => user.UserPerson)?.UserPerson?.id)
  const accountOf = async (user: string) => {
    const { body } = await api.listBankAccounts({ params: { userID: user } })
    const bank = body.Response[0]?.MonetaryAccountBank
    return { id: String(bank?.id), iban: bank?.alias[0]?.value as string }
  }
  const [own, other] = [await accountOf(userID), await accountOf(company)]
  const inAccount = { params: { userID, 'monetary-accountID': own.id } }
  const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
  for (const description of ['Please', 'Please!', 'Please!!'])
    await api.createRequestInquiry({
      ...inAccount,
      body: { amount_inquired: euros('500.00'), counterparty_alias: sugar, description },
    })
  return {
    api,
    params: { userID },
    inAccount,
    key: person.Response[0]?.ApiKey.api_key as string,
    account: own.id,
    iban: own.iban,
    company,
    companyIban: other.iban,
  }
}

async function people({ api, params, company }: Seeded, avatar_uuid: string): Promise<void> {
  const address = { street: 'Main Street', house_number: '1', postal_code: '1000 AA', city: 'Amsterdam', country: 'NL' }
  const shared = { address_main: address, avatar_uuid }
  await api.updateUserPerson({ params: { itemId: params.userID }, body: { ...shared, first_name: 'Ada' } })
  await api.updateUserCompany({ params: { itemId: company }, body: { ...shared, name: 'A shop' } })
}

async function otherAccounts({ api, params }: Seeded, avatar_uuid: string): Promise<void> {
  const body = { currency: 'EUR', description: 'Another', avatar_uuid }
  const bank = idOf(await api.createBankAccount({ params, body }))
  const savings = idOf(await api.createSavingsAccount({ params, body: { ...body, savings_goal: euros('100.00') } }))
  const joint = idOf(await api.createJointAccount({ params, body }))
  const open = { status: 'ACTIVE', sub_status: 'NONE' } as const
  const changes = { description: 'Renamed', daily_limit: euros('50.00'), avatar_uuid, ...open }
  await api.updateBankAccount({ params: { ...params, itemId: bank }, body: changes })
  await api.updateSavingsAccount({ params: { ...params, itemId: savings }, body: changes })
  await api.updateJointAccount({ params: { ...params, itemId: joint }, body: changes })
}

/** Returns the ids of the resources that can have notes. */
async function pay({ api, inAccount, companyIban }: Seeded) {
  const counterparty_alias = { type: 'IBAN', value: companyIban, name: 'A shop' }
  const order = { amount: euros('1.00'), counterparty_alias, description: 'Bread' }
  const payment = idOf(await api.createPayment({ ...inAccount, body: order }))
  const batch = idOf(await api.createPaymentBatch({ ...inAccount, body: { payments: [order, order] } }))
  const request = { amount_inquired: euros('2.00'), counterparty_alias, description: 'Rent' }
  const requests = { request_inquiries: [request], total_amount_inquired: euros('2.00') }
  const inquiry = idOf(await api.createRequestInquiry({ ...inAccount, body: request }))
  const inquiries = idOf(await api.createRequestInquiryBatch({ ...inAccount, body: requests }))
  const schedule = { time_start: '2099-01-31 12:00:00.000000', recurrence_unit: 'MONTHLY', recurrence_size: 1 } as const
  const draft = { entries: [order], number_of_required_accepts: 1, schedule }
  const drafted = idOf(await api.createDraftPayment({ ...inAccount, body: draft }))
  const inDraft = { params: { ...inAccount.params, itemId: drafted } }
  await api.updateDraftPayment({ ...inDraft, body: { entries: [order], schedule } })
  const body = { payment: order, schedule }
  const scheduled = idOf(await api.createSchedulePayment({ ...inAccount, body }))
  await api.updateSchedulePayment({ params: { ...inAccount.params, itemId: scheduled }, body })
  const batches = { payments: [order], schedule }
  const scheduledBatch = idOf(await api.createScheduleBatch({ ...inAccount, body: batches }))
  await api.updateScheduleBatch({ params: { ...inAccount.params, itemId: scheduledBatch }, body: batches })
  const days = { statement_format: 'CSV', date_start: '2026-01-01', date_end: '2026-12-31' } as const
  const statement = idOf(await api.createStatement({ ...inAccount, body: days }))
  return { payment, batch, inquiry, inquiries, drafted, scheduled, scheduledBatch, statement }
}

/** Money from another bank, a rule that allocates what was received, and an invitation to the account. */
async function received({ api, inAccount, companyIban }: Seeded) {
  const topUp = { amount_requested: euros('10.00'), issuer: 'PAYSNL2A' }
  const added = idOf(await api.createTopUp({ ...inAccount, body: topUp }))
  const { body } = await api.listPayments({ ...inAccount, query: { count: 200 } })
  const payment_id = Number(body.Response.at(-1)?.Payment.id)
  const company = { type: 'IBAN', value: companyIban, name: 'A shop' }
  const definition = [{ type: 'FRACTION', fraction: 1, counterparty_alias: company, description: 'A part' } as const]
  const rule = { payment_id, type: 'RECURRING', definition } as const
  const allocation = idOf(await api.createAllocation({ ...inAccount, body: rule }))
  await api.updateAllocation({ params: { ...inAccount.params, itemId: allocation }, body: rule })
  const invite = { counter_user_alias: company, access_type: 'VIEW_BALANCE', end_date: '2099-01-31 12:00:00' } as const
  const share = idOf(await api.createShareInquiry({ ...inAccount, body: invite }))
  const { access_type, end_date } = invite
  const changes = { access_type, end_date }
  await api.updateShareInquiry({ params: { ...inAccount.params, itemId: share }, body: changes })
  return { added, allocation }
}

async function paymentPages({ api, inAccount, params, account }: Seeded): Promise<void> {
  const entry = { amount_inquired: euros('5.00'), description: 'Cake', redirect_url: 'https://shop.example/thanks' }
  const tab = idOf(await api.createTab({ ...inAccount, body: { vendorme_tab_entry: entry, event_id: 1 } }))
  const changed = { vendorme_tab_entry: { ...entry, description: 'Cakes' } }
  await api.updateTab({ params: { ...inAccount.params, itemId: tab }, body: changed })
  const body = { monetary_account_id: Number(account), description: 'A new roof', currency: 'EUR' }
  await api.createFundraiserProfile({ params, body })
}

async function files({ api, inAccount }: Seeded) {
  const attachment = idOf(await api.createAccountAttachment({ ...inAccount, body: picture }))
  const { body: published } = await api.createPublicAttachment({ body: picture })
  const uuid = published.Response[0]?.Uuid.uuid as string
  await api.createAvatar({ body: { attachment_public_uuid: uuid } })
  const { body } = await api.createAvatar({ body: { image: [{ attachment_public_uuid: uuid }] } })
  return { attachment, uuid, avatar: body.Response[0]?.Uuid.uuid as string }
}

/** A device that uses the key of the user. */
async function device(url: string, { api, params, key }: Seeded): Promise<string> {
  await signIn(url, key)
  const { body } = await api.listCredentials({ params })
  const id = String(body.Response[0]?.CredentialPasswordIp.id)
  const at = { ...params, 'credential-password-ipID': id }
  const itemId = idOf(await api.createPermittedIp({ params: at, body: { ip: '192.0.2.1', status: 'ACTIVE' } }))
  await api.updatePermittedIp({ params: { ...at, itemId }, body: { ip: '192.0.2.1', status: 'INACTIVE' } })
  return id
}

async function applications({ api, params }: Seeded): Promise<string> {
  const id = idOf(await api.createOauthClient({ params, body: { status: 'ACTIVE' } }))
  await api.updateOauthClient({ params: { ...params, itemId: id }, body: { status: 'ACTIVE' } })
  const below = { ...params, 'oauth-clientID': id }
  const url = idOf(await api.createCallbackUrl({ params: below, body: { url: 'https://shop.example/back' } }))
  await api.updateCallbackUrl({ params: { ...below, itemId: url }, body: { url: 'https://shop.example/return' } })
  return id
}

async function card({ api, params, account }: Seeded): Promise<string> {
  const name = { name_on_card: 'A. Person', second_line: 'Home', type: 'MASTERCARD' } as const
  const id = idOf(
    await api.createCardDebit({ params, body: { ...name, monetary_account_id_fallback: Number(account) } }),
  )
  const changes = {
    card_limit: euros('100.00'),
    card_limit_atm: euros('50.00'),
    country_permission: [{ country: 'DE' }],
    primary_account_numbers: [{ id: 1, description: 'Home' }],
    monetary_account_id_fallback: Number(account),
  }
  await api.updateCard({ params: { ...params, itemId: id }, body: changes })
  await activeCard(api, params)
  return id
}

async function activeCard(api: BankClient, params: Seeded['params']): Promise<void> {
  const id = idOf(await api.createCardDebit({ params, body: { name_on_card: 'A. Person' } }))
  const active = { status: 'ACTIVE', activation_code: id.padStart(6, '0').slice(-6) } as const
  await api.updateCard({ params: { ...params, itemId: id }, body: active })
  const below = { ...params, cardID: id }
  const code = idOf(await api.createCode({ params: below, body: { type: 'GENERATED' } }))
  await api.updateCode({ params: { ...below, itemId: code }, body: { type: 'STATIC' } })
  await api.changeCards({ params, body: { cards: [{ id: Number(id), card_limit: euros('100.00') }] } })
  await api.replaceCards({ params, body: { cards: [{ id: Number(id), second_line: 'New' }] } })
}

export const seed: Seed = async (owner) => {
  const seeded = await customers(client(all, owner))
  const { api, params, inAccount, account, company } = seeded
  const { attachment, uuid, avatar } = await files(seeded)
  await people(seeded, avatar)
  await otherAccounts(seeded, avatar)
  const paid = await pay(seeded)
  const money = await received(seeded)
  await paymentPages(seeded)
  const oauthClient = await applications(seeded)
  const credential = await device(owner.baseUrl, seeded)
  const cardID = await card(seeded)
  const pointer_iban = { type: 'IBAN', value: seeded.iban }
  await api.confirmFunds({ params, body: { pointer_iban, amount: euros('1.00') } })
  await api.createCategory({ params, body: { status: 'ACTIVE', category: 'HOBBY', description: 'Hobbies' } })
  const filters = [{ category: 'PAYMENT', notification_target: 'https://shop.example/events' } as const]
  await api.setUserFilters({ params, body: { notification_filters: filters } })
  await api.setPushFilters({ params, body: { notification_filters: [{ category: 'PAYMENT' }] } })
  await api.setAccountFilters({ ...inAccount, body: { notification_filters: filters } })
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
    'schedule-payment-batchID': paid.scheduledBatch,
    'ideal-merchant-transactionID': money.added,
    'payment-auto-allocateID': money.allocation,
    'credential-password-ipID': credential,
    'schedule-instanceID': '1',
    'mastercard-actionID': '1',
    'vendorme-fundraiser-resultID': '1',
  }
}
