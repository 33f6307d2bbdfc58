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
  ...contracts.cards,
  ...contracts.tabs,
  ...contracts.attachments,
  ...contracts.categories,
  ...contracts.oauth,
  ...contracts.notifications,
  ...contracts.statements,
  ...contracts.invoices,
}
export type Ask = Client<typeof all>

export const euros = (value: string) => ({ value, currency: 'EUR' })

/** The beginning of a PNG of 3 by 2 pixels. */
export const picture = {
  mediaType: 'image/png',
  content: new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d4948445200000003000000020802000000', 'hex')),
}

/** The id of what was made. */
export const idOf = ({
  body,
}: {
  readonly body: { readonly Response: readonly { readonly Id: { readonly id: number } }[] }
}) => String(body.Response[0]?.Id.id)

/** A user of the bank, with an account and what others pay it by. */
export interface Customer {
  readonly ask: Ask
  readonly key: string
  readonly user: { readonly userID: string }
  readonly account: { readonly userID: string; readonly 'monetary-accountID': string }
  readonly pointer: { readonly type: string; readonly value: string; readonly name: string }
}

export interface Bank extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  /** With a key of the platform, which acts for any user. */
  readonly ask: Ask
  customer(amount?: string): Promise<Customer>
  balance(customer: Customer): Promise<string>
}

export const tenant = 'bank'

/** Makes users of the bank, with some money if that is said. */
export function customersOf(ask: Ask): Bank['customer'] {
  const known = new Set<number>()
  return async (amount) => {
    const { body: made } = await ask.createSandboxUserPerson({})
    const { body } = await ask.listUsers({})
    const users = body.Response as readonly { readonly UserPerson?: { readonly id: number } }[]
    const newestFirst = users.flatMap(({ UserPerson }) => UserPerson?.id ?? []).toSorted((one, other) => other - one)
    const id = newestFirst.find((one) => !known.has(one)) as number
    known.add(id)
    const user = { userID: String(id) }
    const { body: accounts } = await ask.listBankAccounts({ params: user })
    const account = accounts.Response[0]?.MonetaryAccountBank
    const customer = {
      ask,
      key: made.Response[0]?.ApiKey.api_key as string,
      user,
      account: { ...user, 'monetary-accountID': String(account?.id) },
      pointer: { type: 'IBAN', value: account?.alias[0]?.value as string, name: 'Somebody' },
    }
    const sugar = { type: 'EMAIL', value: 'sugardaddy@vendor.example' }
    const request = { counterparty_alias: sugar, description: 'Please' }
    if (amount)
      await ask.createRequestInquiry({
        params: customer.account,
        body: { ...request, amount_inquired: euros(amount) },
      })
    return customer
  }
}

export async function openBank(more: Partial<BankSettings> = {}): Promise<Bank> {
  const app = await startTestApp(banking({ sandboxTenant: tenant, rates: 'none', anonymousPerMinute: 10_000, ...more }))
  const url = `${app.url}/banking`
  const ask = askAt(url, await app.key(tenant))
  return {
    app,
    url,
    ask,
    customer: customersOf(ask),
    async balance({ user, account }) {
      const { body } = await ask.getBankAccount({ params: { ...user, itemId: account['monetary-accountID'] } })
      return body.Response[0]?.MonetaryAccountBank.balance.value as string
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** With a key of the platform. */
export const askAt = (url: string, key: string): Ask =>
  client(all, { baseUrl: url, headers: { 'x-vendor-client-authentication': key } })

export interface KeyPair {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

export function newKeys(modulusLength = 2048): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  return { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey }
}

/** Signs what it sends, and checks the signature of what it gets. */
export function signing(token: string, keys: KeyPair, serverKey?: string): typeof fetch {
  return async (input, init) => {
    const body = typeof init?.body === 'string' || init?.body instanceof Uint8Array ? init.body : ''
    const headers = new Headers(init?.headers)
    headers.set('x-vendor-client-authentication', token)
    headers.set('x-vendor-client-signature', sign('sha256', Buffer.from(body), keys.privateKey).toString('base64'))
    const answer = await fetch(input, { ...init, headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const signature = answer.headers.get('x-vendor-server-signature') ?? ''
    if (answer.ok && serverKey && !verify('sha256', bytes, serverKey, Buffer.from(signature, 'base64')))
      throw new Error('the answer is not signed by the bank')
    return new Response(bytes, answer)
  }
}

export interface SignedIn {
  readonly ask: Ask
  readonly token: string
  readonly session: string
  readonly keys: KeyPair
  readonly serverKey: string
}

export async function install(url: string, keys: KeyPair) {
  const open = client(all, { baseUrl: url })
  const { body } = await open.createInstallation({ body: { client_public_key: keys.publicKey } })
  const [, token, server] = body.Response
  return { token: token?.Token?.token as string, serverKey: server?.ServerPublicKey?.server_public_key as string }
}

/** From a key of a user to an open session. */
export async function signIn(url: string, secret: string, permitted_ips?: string[]): Promise<SignedIn> {
  const keys = newKeys()
  const { token: installation, serverKey } = await install(url, keys)
  const installed = client(all, { baseUrl: url, fetch: signing(installation, keys, serverKey) })
  await installed.createDeviceServer({ body: { description: 'test', secret, ...(permitted_ips && { permitted_ips }) } })
  const { body } = await installed.createSessionServer({ body: { secret } })
  const [id, made] = body.Response
  const token = made?.Token?.token as string
  const ask = client(all, { baseUrl: url, fetch: signing(token, keys, serverKey) })
  return { ask, token, session: String(id?.Id?.id), keys, serverKey }
}
