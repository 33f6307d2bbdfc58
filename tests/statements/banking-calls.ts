import { fieldStatements } from './fields.ts'
import type { Answer, Node } from './statements.ts'

export const euros = (value: string) => ({ value, currency: 'EUR' })
export const isMoment = (value: unknown) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/.test(String(value))
export const isTextOrNull = (value: unknown) => value === null || typeof value === 'string'
export const isList = (value: unknown) => Array.isArray(value)
export const isUuid = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value))
export const isEuros = (value: { value?: unknown; currency?: unknown } | null) =>
  /^-?\d+\.\d\d$/.test(String(value?.value)) && value?.currency === 'EUR'

/** Unwraps the first item of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: a statement reads the fields it is about, and fails if they are missing
export const itemOf = ({ json }: Pick<Answer, 'json'>): any => Object.values(json?.Response?.[0] ?? {})[0]
// biome-ignore lint/suspicious/noExplicitAny: as above
export const itemsOf = ({ json }: Pick<Answer, 'json'>): any[] =>
  (json?.Response ?? []).map((one: object) => Object.values(one)[0])
export const idOf = ({ json }: Pick<Answer, 'json'>): number | undefined => json?.Response?.[0]?.Id?.id

export interface Customer {
  readonly key: string
  readonly id: number
  readonly email: string
  readonly account: number
  readonly iban: string
  /** Paths of the user and its account. */
  readonly user: string
  readonly at: string
  /** Alias by which others pay it. */
  readonly pointer: { readonly type: string; readonly value: string; readonly name: string }
}

/** Body of a payment. */
export const payTo = ({ pointer }: Customer, value: string, more: object = {}) => ({
  ...{ amount: euros(value), counterparty_alias: pointer, description: 'Tea', ...more },
})

/** Calls and checks for statements about banking. The platform key acts for every user. */
export function bankCalls(node: Node) {
  const { holds } = node
  const call = node.caller('banking')
  const get = (path: string) => call('GET', path)
  const post = (path: string, json: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
    call('POST', path, json, headers)
  const put = (path: string, json: unknown = {}) => call('PUT', path, json)
  const refusalOf = ({ json }: Answer) => json?.Error?.[0]?.error_description
  return {
    ...node,
    /** Calls without a key, like a browser. */
    page: node.call,
    ...{ call, get, post, put },
    fields: fieldStatements(holds),
    succeeds: (statement: string, { status, text }: Answer) => holds(statement, status === 200, [status, text]),
    /** Expects a refusal: a 400 with a reason. */
    refused: (statement: string, answer: Answer, status = 400) =>
      holds(statement, answer.status === status && refusalOf(answer), [answer.status, answer.text]),
    /** Expects the id of the created or changed resource. */
    identified(statement: string, answer: Answer, id?: number) {
      const isId = id === undefined ? Number.isInteger(idOf(answer)) : idOf(answer) === id
      holds(statement, answer.status === 200 && isId, [answer.status, answer.text])
      return idOf(answer) ?? 0
    },
    async customer(amount?: string, kind = 'person'): Promise<Customer> {
      const ids = new Set(itemsOf(await get('/user?count=200')).map(({ id }) => id))
      const key = itemOf(await post(`/sandbox-user-${kind}`)).api_key
      const own = itemsOf(await get('/user?count=200')).find(({ id }) => !ids.has(id))
      const { id } = own
      const user = `/user/${id}`
      const { id: account, alias } = itemOf(await get(`${user}/monetary-account`))
      const at = `${user}/monetary-account/${account}`
      const iban = alias[0].value
      const email = own.alias.find(({ type }: { type: string }) => type === 'EMAIL').value
      const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
      const request = { amount_inquired: euros(amount ?? ''), counterparty_alias: sugar, description: 'Please' }
      if (amount) await post(`${at}/request-inquiry`, request)
      return { key, id, email, account, iban, user, at, pointer: { type: 'IBAN', value: iban, name: own.display_name } }
    },
    balance: async ({ at }: Customer) => itemOf(await get(at)).balance.value as string,
    async upload(path: string, content: Uint8Array<ArrayBuffer>, type: string, description = 'd') {
      const { url, headers } = node.instance.app.service('banking')
      const more = { 'content-type': type, 'x-vendor-attachment-description': description }
      return node.call(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: content })
    },
  }
}

export type BankCalls = ReturnType<typeof bankCalls>

/** Fields of a payment in the specification. `amount` is as seen by its side. */
export const paymentFields = (amount: string, { account, iban }: Customer, type = 'VENDOR') => ({
  ...{ id: Number.isInteger, created: isMoment, updated: isMoment, monetary_account_id: account },
  ...{ amount: euros(amount), description: (value: unknown) => typeof value === 'string', attachment: isList },
  alias: (value: { iban: string }) => value?.iban === iban,
  counterparty_alias: (value: { iban: string }) => typeof value?.iban === 'string' && value.iban !== iban,
  ...{ merchant_reference: isTextOrNull, allow_vendorto: false, type, sub_type: 'PAYMENT' },
  payment_arrival_expected: ({ status, time }: { status: string; time: string }) =>
    status === 'ARRIVED' && isMoment(time),
  ...{ vendorto_status: null, vendorto_sub_status: null, vendorto_share_url: null, vendorto_expiry: null },
  ...{ vendorto_time_responded: null, batch_id: null, scheduled_id: null, address_shipping: null },
  ...{ address_billing: null, request_reference_split_the_bill: [], balance_after_mutation: isEuros },
  ...{ payment_auto_allocate_instance: null, payment_suspended_outgoing: null, payment_fee: null },
  geolocation: (value: unknown) => value === null || typeof value === 'object',
})

/** Fields of an account label. */
export const accountLabelFields = ({ iban }: Customer) => ({
  ...{ iban, display_name: (value: unknown) => typeof value === 'string', avatar: null, country: 'NL' },
  ...{ label_user: (value: { uuid: unknown }) => isUuid(value?.uuid), vendor_me: null, is_light: false },
  ...{ swift_bic: (value: unknown) => typeof value === 'string', swift_account_number: null },
  ...{ transferprovider_account_number: null, transferprovider_bank_code: null, merchant_category_code: null },
})

export const userLabelFields = {
  ...{ uuid: isUuid, display_name: (value: unknown) => typeof value === 'string', country: 'NL', avatar: null },
  public_nick_name: (value: unknown) => typeof value === 'string',
}
