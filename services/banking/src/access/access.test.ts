import { sign } from 'node:crypto'
import { client } from '@icosa/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  all,
  type Bank,
  type Customer,
  euros,
  idOf,
  install,
  newKeys,
  openBank,
  signIn,
  signing,
} from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('100.00')
  bram = await bank.customer('100.00')
})
afterAll(() => bank[Symbol.asyncDispose]())

const order = () => ({ amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' })

/** Sends a payment with arbitrary headers. */
const send = (token: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${bank.url}/v1/user/${ada.user.userID}/monetary-account/${ada.account['monetary-accountID']}/payment`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-bunq-client-authentication': token, ...headers },
  })
const errorOf = async (response: Response) =>
  [
    response.status,
    ((await response.json()) as { Error: { error_description: string }[] }).Error[0]?.error_description,
  ] as const

test('createInstallation, createDeviceServer, createSessionServer: a key opens a session with signed responses', async () => {
  const { api } = await signIn(bank.url, ada.key)
  const { body } = await api.listUsers({})
  expect(body.Response).toMatchObject([{ UserPerson: { id: Number(ada.user.userID) } }])
  expect(idOf(await api.createPayment({ params: ada.account, body: order() }))).toMatch(/^\d+$/)
  const { body: devices } = await api.listDeviceServers({})
  expect(devices.Response[0]?.DeviceServer).toMatchObject({ description: 'test', ip: '127.0.0.1', status: 'ACTIVE' })
  const { body: installations } = await api.listInstallations({})
  const installationID = String(installations.Response[0]?.Id.id)
  const { body: keys } = await api.listServerPublicKeys({ params: { installationID } })
  expect(keys.Response[0]?.ServerPublicKey.server_public_key).toContain('BEGIN PUBLIC KEY')
})

test('a caller with the original header gets original field names, signed as spelled', async () => {
  const { token, keys } = await signIn(bank.url, ada.key)
  const signature = sign('sha256', Buffer.alloc(0), keys.privateKey).toString('base64')
  const path = `user/${ada.user.userID}/monetary-account/${ada.account['monetary-accountID']}/bunqme-tab`
  const headers = { 'x-bunq-client-authentication': token, 'x-bunq-client-signature': signature }
  await ada.api.createTab({ params: ada.account, body: { vendorme_tab_entry: { amount_inquired: euros('2.00') } } })
  const response = await fetch(`${bank.url}/v1/${path}`, { headers })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({
    Response: [{ BunqMeTab: { bunqme_tab_entry: {}, bunqme_tab_share_url: expect.any(String) } }],
  })
})

test('a request is rejected if its signature is missing, forged, over another body or by another key', async () => {
  const earlier = await signIn(bank.url, ada.key)
  const { token, keys } = await signIn(bank.url, ada.key)
  const body = JSON.stringify(order())
  const by = (text: string, key = keys.privateKey) => ({
    'x-bunq-client-signature': sign('sha256', Buffer.from(text), key).toString('base64'),
  })
  expect(await errorOf(await send(token, body))).toMatchObject([466, expect.stringContaining('signature is missing')])
  const invalid = [400, expect.stringContaining('signature is invalid')]
  expect(await errorOf(await send(token, body, { 'x-bunq-client-signature': 'Zm9yZ2Vk' }))).toMatchObject(invalid)
  expect(await errorOf(await send(token, body, by(body.replace('1.00', '9.00')))), 'over another body').toMatchObject(
    invalid,
  )
  expect(await errorOf(await send(token, body, by(body, newKeys().privateKey))), 'by a foreign key').toMatchObject(
    invalid,
  )
  expect(await errorOf(await send(token, body, by(body, earlier.keys.privateKey))), 'by an earlier key').toMatchObject(
    invalid,
  )
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(order()).reverse()))
  expect(await errorOf(await send(token, reordered, by(body))), 're-ordered').toMatchObject(invalid)
  expect((await send(token, body, by(body))).status).toBe(200)
})

test('only payments require a signature, but a given signature is always verified', async () => {
  const { token, keys } = await signIn(bank.url, ada.key)
  const fetchAs =
    (signature?: string): typeof fetch =>
    (input, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-vendor-client-authentication', token)
      if (signature !== undefined) headers.set('x-vendor-client-signature', signature)
      return fetch(input, { ...init, headers })
    }
  const as = (signature?: string) => client(all, { baseUrl: bank.url, fetch: fetchAs(signature) })
  const request = { amount_inquired: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' }
  const draft = { entries: [order()], number_of_required_accepts: 1 }
  await as().createRequestInquiry({ params: ada.account, body: request })
  const itemId = idOf(await as().createDraftPayment({ params: ada.account, body: draft }))
  const unsigned = { status: 466 }
  const accept = { params: { ...ada.account, itemId }, body: { status: 'ACCEPTED' } } as const
  await expect(as().updateDraftPayment(accept)).rejects.toMatchObject(unsigned)
  await expect(as().createPaymentBatch({ params: ada.account, body: { payments: [order()] } })).rejects.toMatchObject(
    unsigned,
  )
  const forged = as(sign('sha256', Buffer.from('something else'), keys.privateKey).toString('base64'))
  await expect(forged.createRequestInquiry({ params: ada.account, body: request })).rejects.toMatchObject({
    status: 400,
  })
})

test('errors name headers as the caller spells them', async () => {
  const response = await fetch(`${bank.url}/v1/user`, { headers: { 'x-bunq-client-authentication': 'unknown' } })
  expect(await errorOf(response)).toMatchObject([401, expect.stringContaining('X-Bunq-Client-Authentication')])
})

test('a replayed request pays once', async () => {
  const { token, keys } = await signIn(bank.url, ada.key)
  const body = JSON.stringify(order())
  const headers = {
    'x-bunq-client-signature': sign('sha256', Buffer.from(body), keys.privateKey).toString('base64'),
    'x-bunq-client-request-id': 'once',
  }
  const before = await bank.balance(bram)
  const responses = await Promise.all(Array.from({ length: 20 }, async () => (await send(token, body, headers)).json()))
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  expect(Number(await bank.balance(bram)) - Number(before)).toBeCloseTo(1)
})

test('a session ends immediately when deleted, also by id 0, and when it expires', async () => {
  for (const own of [true, false]) {
    const { api, session, token, keys } = await signIn(bank.url, ada.key)
    await api.listUsers({})
    await api.deleteSession({ params: { itemId: own ? '0' : session } })
    const sameSession = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
    await expect(sameSession.listUsers({}), 'at the very next request').rejects.toMatchObject({ status: 401 })
  }

  await ada.api.updateUserPerson({ params: { itemId: ada.user.userID }, body: { session_timeout: 3_600 } })
  const other = await signIn(bank.url, ada.key)
  await other.api.listUsers({})
  await bank.app.clock.advance(3_601_000)
  await expect(other.api.listUsers({})).rejects.toMatchObject({
    status: 401,
    body: { Error: [{ error_description: expect.stringContaining('has expired') }] },
  })
})

test('a device calls only from its permitted addresses', async () => {
  await expect(signIn(bank.url, bram.key, ['203.0.113.7'])).rejects.toMatchObject({ status: 400 })
  const anywhere = await signIn(bank.url, bram.key, ['*'])
  await anywhere.api.listUsers({})
})

test('a wrong key, a small key pair, a made-up token and an installation without a session are rejected', async () => {
  await expect(signIn(bank.url, `sandbox_${'0'.repeat(64)}.YmFuaw`)).rejects.toMatchObject({ status: 400 })
  await expect(install(bank.url, newKeys(1024))).rejects.toMatchObject({ status: 400 })
  const forged = client(all, {
    baseUrl: bank.url,
    headers: { 'x-vendor-client-authentication': 'installation.e30.AAAA' },
  })
  await expect(forged.listInstallations({})).rejects.toMatchObject({ status: 401 })
  const keys = newKeys()
  const { token } = await install(bank.url, keys)
  const installed = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
  await expect(installed.listUsers({})).rejects.toMatchObject({ status: 401 })
})

test('a session acts only as its own user: ids of other users are not found in paths or bodies', async () => {
  const { api } = await signIn(bank.url, ada.key)
  const { 'monetary-accountID': hers } = ada.account
  const { 'monetary-accountID': his } = bram.account
  const notFound = { status: 404 }
  await expect(api.listPayments({ params: bram.account })).rejects.toMatchObject(notFound)
  await expect(api.listPayments({ params: { ...ada.user, 'monetary-accountID': his } })).rejects.toMatchObject(notFound)
  await expect(
    api.createPayment({ params: { ...ada.user, 'monetary-accountID': his }, body: order() }),
  ).rejects.toMatchObject(notFound)
  await expect(api.getBankAccount({ params: { ...ada.user, itemId: his } })).rejects.toMatchObject(notFound)
  await expect(api.getUserPerson({ params: { itemId: bram.user.userID } })).rejects.toMatchObject(notFound)
  await expect(api.updateUserPerson({ params: { itemId: bram.user.userID }, body: {} })).rejects.toMatchObject(notFound)
  const card = { name_on_card: 'Ada', monetary_account_id_fallback: Number(his) }
  await expect(api.createCardDebit({ params: ada.user, body: card })).rejects.toMatchObject({ status: 400 })
  const profile = { monetary_account_id: Number(his), description: 'Mine' }
  await expect(api.createFundraiserProfile({ params: ada.user, body: profile })).rejects.toMatchObject({ status: 400 })
  await api.listPayments({ params: { ...ada.user, 'monetary-accountID': hers } })
})
