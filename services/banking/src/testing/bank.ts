import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { type Client, client } from '@icosa/client'
import { startTestApp, type TestApp } from '@icosa/testing'
import * as contracts from '../contract.ts'
import { type BankSettings, banking } from '../index.ts'

export const all = {
  ...contracts.access,
  ...contracts.users,
  ...contracts.accounts,
  ...contracts.payments,
  ...contracts.requests,
  ...contracts.drafts,
  ...contracts.schedules,
  ...contracts.shares,
  ...contracts.allocations,
  ...contracts.cards,
  ...contracts.codes,
  ...contracts.replacements,
  ...contracts.credentials,
  ...contracts.funds,
  ...contracts.topUps,
  ...contracts.tabs,
  ...contracts.attachments,
  ...contracts.categories,
  ...contracts.oauth,
  ...contracts.notifications,
  ...contracts.statements,
  ...contracts.invoices,
}
export type BankClient = Client<typeof all>

export const euros = (value: string) => ({ value, currency: 'EUR' })

/** The header of a 3 by 2 pixel PNG. */
export const picture = {
  mediaType: 'image/png',
  content: new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d4948445200000003000000020802000000', 'hex')),
}

export const idOf = ({
  body,
}: {
  readonly body: { readonly Response: readonly { readonly Id: { readonly id: number } }[] }
}) => String(body.Response[0]?.Id.id)

/** A user with an account, and the pointer by which others pay it. */
export interface Customer {
  readonly api: BankClient
  readonly key: string
  readonly user: { readonly userID: string }
  readonly account: { readonly userID: string; readonly 'monetary-accountID': string }
  readonly pointer: { readonly type: string; readonly value: string; readonly name: string }
}

export interface Bank extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  /** Uses a platform key, which acts for any user. */
  readonly api: BankClient
  customer(amount?: string): Promise<Customer>
  balance(customer: Customer): Promise<string>
}

export const tenant = 'bank'

/** Creates users, optionally with an initial balance. */
export function customersOf(api: BankClient): Bank['customer'] {
  const returned = new Set<number>()
  return async (amount) => {
    const { body: created } = await api.createSandboxUserPerson({})
    const { body } = await api.listUsers({})
    const users = body.Response as readonly { readonly UserPerson?: { readonly id: number } }[]
    const newestFirst = users.flatMap(({ UserPerson }) => UserPerson?.id ?? []).toSorted((a, b) => b - a)
    const id = newestFirst.find((candidate) => !returned.has(candidate)) as number
    returned.add(id)
    const user = { userID: String(id) }
    const { body: accounts } = await api.listBankAccounts({ params: user })
    const account = accounts.Response[0]?.MonetaryAccountBank
    const customer = {
      api,
      key: created.Response[0]?.ApiKey.api_key as string,
      user,
      account: { ...user, 'monetary-accountID': String(account?.id) },
      pointer: { type: 'IBAN', value: account?.alias[0]?.value as string, name: 'Somebody' },
    }
    const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
    const request = { counterparty_alias: sugar, description: 'Please' }
    if (amount)
      await api.createRequestInquiry({
        params: customer.account,
        body: { ...request, amount_inquired: euros(amount) },
      })
    return customer
  }
}

export async function openBank(overrides: Partial<BankSettings> = {}): Promise<Bank> {
  const app = await startTestApp(
    banking({ sandboxTenant: tenant, rates: 'none', anonymousPerMinute: 10_000, ...overrides }),
  )
  const url = `${app.url}/banking`
  const api = clientAt(url, await app.key(tenant))
  return {
    app,
    url,
    api,
    customer: customersOf(api),
    async balance({ user, account }) {
      const { body } = await api.getBankAccount({ params: { ...user, itemId: account['monetary-accountID'] } })
      return body.Response[0]?.MonetaryAccountBank.balance.value as string
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** A client with a platform key. */
export const clientAt = (url: string, key: string): BankClient =>
  client(all, { baseUrl: url, headers: { 'x-vendor-client-authentication': key } })

export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

export function newKeys(modulusLength = 2048): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  return { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey }
}

/** Signs requests, and verifies the signatures of responses. */
export function signing(token: string, keys: KeyPair, serverKey?: string): typeof fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' || init?.body instanceof Uint8Array ? init.body : ''
    const headers = new Headers(init?.headers)
    headers.set('x-vendor-client-authentication', token)
    headers.set('x-vendor-client-signature', sign('sha256', Buffer.from(body), keys.privateKey).toString('base64'))
    const response = await fetch(input, { ...init, headers })
    const bytes = Buffer.from(await response.arrayBuffer())
    const signature = response.headers.get('x-vendor-server-signature') ?? ''
    if (response.ok && serverKey && !verify('sha256', bytes, serverKey, Buffer.from(signature, 'base64')))
      throw new Error('the response is not signed by the bank')
    return new Response(bytes, response)
  }
}

export interface SignedIn {
  readonly api: BankClient
  readonly token: string
  readonly session: string
  readonly keys: KeyPair
  readonly serverKey: string
}

export async function install(url: string, keys: KeyPair) {
  const anonymous = client(all, { baseUrl: url })
  const { body } = await anonymous.createInstallation({ body: { client_public_key: keys.publicKey } })
  const [, token, server] = body.Response
  return { token: token?.Token?.token as string, serverKey: server?.ServerPublicKey?.server_public_key as string }
}

/** Opens a session with a user's key. */
export async function signIn(url: string, secret: string, permitted_ips?: string[]): Promise<SignedIn> {
  const keys = newKeys()
  const { token: installation, serverKey } = await install(url, keys)
  const installed = client(all, { baseUrl: url, fetch: signing(installation, keys, serverKey) })
  await installed.createDeviceServer({ body: { description: 'test', secret, ...(permitted_ips && { permitted_ips }) } })
  const { body } = await installed.createSessionServer({ body: { secret } })
  const [id, session] = body.Response
  const token = session?.Token?.token as string
  const api = client(all, { baseUrl: url, fetch: signing(token, keys, serverKey) })
  return { api, token, session: String(id?.Id?.id), keys, serverKey }
}
