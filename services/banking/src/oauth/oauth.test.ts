import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank, signIn } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer
let application: { readonly itemId: string; readonly client_id: string; readonly client_secret: string }
const redirect_uri = 'https://app.example/back?from=bank'

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
  bram = await bank.customer('100.00')
  application = await newApplication()
})
afterAll(() => bank[Symbol.asyncDispose]())

/** An application of Ada's. */
async function newApplication() {
  const itemId = idOf(await ada.api.createOauthClient({ params: ada.user, body: {} }))
  await ada.api.createCallbackUrl({ params: { ...ada.user, 'oauth-clientID': itemId }, body: { url: redirect_uri } })
  const { body } = await ada.api.getOauthClient({ params: { ...ada.user, itemId } })
  const { client_id = '', secret = '' } = body.Response[0]?.OauthClient ?? {}
  return { itemId, client_id, client_secret: secret }
}

/** Submits the consent page as Bram. */
function consent(form: Record<string, string>, params: Record<string, string> = {}): Promise<Response> {
  const { client_id } = application
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, state: 's 1', ...params })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  return fetch(`${bank.url}/auth?${query}`, { method: 'POST', body, headers, redirect: 'manual' })
}

async function newCode(): Promise<string> {
  const response = await consent({ step: 'allow', key: bram.key })
  expect(response.status).toBe(303)
  const back = new URL(response.headers.get('location') as string)
  expect([back.origin, back.searchParams.get('from'), back.searchParams.get('state')]).toEqual([
    'https://app.example',
    'bank',
    's 1',
  ])
  return back.searchParams.get('code') as string
}

const exchange = (code: string, others: Record<string, string> = {}) => {
  const { client_id, client_secret } = application
  const query = { grant_type: 'authorization_code', code, client_id, client_secret, redirect_uri, ...others }
  return ada.api.createOauthToken({ query })
}
const newToken = async () => (await exchange(await newCode())).body.access_token

test('an authorized application reads, and prepares payments for the user to accept', async () => {
  const { body } = await exchange(await newCode())
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', state: 's 1' })
  const { api } = await signIn(bank.url, body.access_token)
  await api.listPayments({ params: bram.account })
  const order = { amount: euros('1.00'), counterparty_alias: ada.pointer, description: 'Tea' }
  const draft = { entries: [order], number_of_required_accepts: 1 }
  await api.createDraftPayment({ params: bram.account, body: draft })
  expect(await bank.balance(ada), 'nothing is paid yet').toBe('0.00')
})

test('an application cannot pay, accept payments, change users or see secrets', async () => {
  const { api } = await signIn(bank.url, await newToken())
  const order = { amount: euros('1.00'), counterparty_alias: ada.pointer, description: 'Tea' }
  const draft = { entries: [order], number_of_required_accepts: 1 }
  const itemId = idOf(await api.createDraftPayment({ params: bram.account, body: draft }))
  const forbidden = {
    status: 403,
    body: { Error: [{ error_description: expect.stringContaining('may not do this') }] },
  }
  await expect(api.createPayment({ params: bram.account, body: order })).rejects.toMatchObject(forbidden)
  await expect(api.createPaymentBatch({ params: bram.account, body: { payments: [order] } })).rejects.toMatchObject(
    forbidden,
  )
  await expect(
    api.updateDraftPayment({ params: { ...bram.account, itemId }, body: { status: 'ACCEPTED' } }),
  ).rejects.toMatchObject(forbidden)
  await expect(api.updateUserPerson({ params: { itemId: bram.user.userID }, body: {} })).rejects.toMatchObject(
    forbidden,
  )
  await expect(api.createCardDebit({ params: bram.user, body: { name_on_card: 'B' } })).rejects.toMatchObject(forbidden)
  await expect(api.createOauthClient({ params: bram.user, body: {} })).rejects.toMatchObject(forbidden)
  await expect(api.listOauthClients({ params: bram.user })).rejects.toMatchObject(forbidden)
  await expect(api.listPayments({ params: ada.account }), 'of another user').rejects.toMatchObject({ status: 404 })
  expect(await bank.balance(ada)).toBe('0.00')
})

test('a code is valid once, briefly, for one application and one redirect URI', async () => {
  const refused = { status: 400 }
  const code = await newCode()
  const other = await newApplication()
  const { client_id, client_secret } = other
  await expect(exchange(code, { client_id, client_secret }), 'of another application').rejects.toMatchObject(refused)
  await expect(exchange(code, { client_secret }), 'a wrong secret').rejects.toMatchObject(refused)
  await expect(exchange(code, { client_id: `${application.client_id}x` })).rejects.toMatchObject(refused)
  await expect(exchange(code, { redirect_uri: 'https://app.example/' })).rejects.toMatchObject(refused)
  await expect(exchange(code, { grant_type: 'password' })).rejects.toMatchObject(refused)
  await expect(exchange(`${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`)).rejects.toMatchObject(refused)
  const twice = await Promise.allSettled([exchange(code), exchange(code)])
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const late = await newCode()
  await bank.app.clock.advance(5 * 60_000)
  await expect(exchange(late)).rejects.toMatchObject(refused)
})

test('manipulated redirect URIs, response types, states, grant types and frames are rejected', async () => {
  const location = async (params: Record<string, string>) => {
    const response = await consent({ step: 'allow', key: bram.key }, params)
    return response.headers.get('location')
  }
  const manipulated = ['&x=1', '#f', '/../evil', '%00', '.evil.example'].map((end) => `${redirect_uri}${end}`)
  const others = ['https://app.example:443/back?from=bank', 'http://app.example/back?from=bank', 'javascript:alert(1)']
  for (const address of [...manipulated, ...others, `https://app.example@evil.example/back?from=bank`])
    expect(await location({ redirect_uri: address }), address).toBeNull()
  for (const response_type of ['token', 'id_token', 'code token']) expect(await location({ response_type })).toBeNull()
  const state = await location({ state: 'a\r\nset-cookie: b=c&code=mine' })
  expect(new URL(state as string).searchParams.getAll('code')).toHaveLength(1)
  expect(new URL(state as string).searchParams.get('state')).toBe('a\r\nset-cookie: b=c&code=mine')

  const token = await newToken()
  for (const grant_type of ['refresh_token', 'client_credentials', 'implicit'])
    await expect(exchange(token, { grant_type, refresh_token: token })).rejects.toMatchObject({ status: 400 })
  await expect(exchange(token), 'a token is not a code').rejects.toMatchObject({ status: 400 })
  const { api } = await signIn(bank.url, token)
  await expect(
    api.listPayments({ params: { ...ada.user, 'monetary-accountID': bram.account['monetary-accountID'] } }),
  ).rejects.toMatchObject({ status: 404 })

  const query = new URLSearchParams({ response_type: 'code', client_id: application.client_id, redirect_uri })
  const page = await fetch(`${bank.url}/auth?${query}`)
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(page.headers.get('set-cookie'), 'no session that another site could use').toBeNull()
})

test('consent redirects only to registered URLs, requires a user key, and can be refused', async () => {
  const elsewhere = await consent({ step: 'allow', key: bram.key }, { redirect_uri: 'https://evil.example/' })
  expect([elsewhere.status, elsewhere.headers.get('location')]).toEqual([400, null])
  expect(
    (await consent({ step: 'allow', key: bram.key }, { client_id: 'YmFuaw.1.AAAAAAAAAAAAAAAAAAAAAA' })).status,
  ).toBe(400)
  expect((await consent({ step: 'allow', key: 'sandbox_wrong' })).status).toBe(400)
  expect((await consent({ step: 'allow', key: await newToken() })).status, 'an application is not a user').toBe(400)
  const back = (await consent({ step: 'refuse' })).headers.get('location') as string
  expect(new URL(back).searchParams.get('error')).toBe('access_denied')
  expect(new URL(back).searchParams.has('code')).toBe(false)
})

test('deleteOauthGrant: a revoked application loses its sessions and cannot open new ones', async () => {
  const token = await newToken()
  const { api } = await signIn(bank.url, token)
  const { body } = await bram.api.listOauthGrants({ params: bram.user })
  const itemId = String(body.Response[0]?.OauthGrant.id)
  await expect(ada.api.deleteOauthGrant({ params: { ...ada.user, itemId } })).rejects.toMatchObject({ status: 404 })
  await bram.api.deleteOauthGrant({ params: { ...bram.user, itemId } })
  const status = () => api.listUsers({}).catch((error: { status: number }) => error.status)
  await expect.poll(status).toBe(401)
  await expect(signIn(bank.url, token)).rejects.toMatchObject({ status: 400 })
})

test('updateOauthClient: an inactive client cannot act for any user', async () => {
  const { api } = await signIn(bank.url, await newToken())
  const params = { ...ada.user, itemId: application.itemId }
  await ada.api.updateOauthClient({ params, body: { status: 'INACTIVE' } })
  const status = () => api.listUsers({}).catch((error: { status: number }) => error.status)
  await expect.poll(status).toBe(401)
  expect((await consent({ step: 'allow', key: bram.key })).status).toBe(400)
})
