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

/** A payment as somebody sends it who can write any headers. */
const send = (token: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${bank.url}/v1/user/${ada.user.userID}/monetary-account/${ada.account['monetary-accountID']}/payment`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-bunq-client-authentication': token, ...headers },
  })
const errorOf = async (answer: Response) =>
  [
    answer.status,
    ((await answer.json()) as { Error: { error_description: string }[] }).Error[0]?.error_description,
  ] as const

test('createInstallation, createDeviceServer, createSessionServer: from a key to a session whose answers are signed', async () => {
  const { ask } = await signIn(bank.url, ada.key)
  const { body } = await ask.listUsers({})
  expect(body.Response).toMatchObject([{ UserPerson: { id: Number(ada.user.userID) } }])
  expect(idOf(await ask.createPayment({ params: ada.account, body: order() }))).toMatch(/^\d+$/)
  const { body: devices } = await ask.listDeviceServers({})
  expect(devices.Response[0]?.DeviceServer).toMatchObject({ description: 'test', ip: '127.0.0.1', status: 'ACTIVE' })
  const { body: installations } = await ask.listInstallations({})
  const installationID = String(installations.Response[0]?.Id.id)
  const { body: keys } = await ask.listServerPublicKeys({ params: { installationID } })
  expect(keys.Response[0]?.ServerPublicKey.server_public_key).toContain('BEGIN PUBLIC KEY')
})

test('whoever sends the original header gets the original names, signed as they are spelled', async () => {
  const { token, keys } = await signIn(bank.url, ada.key)
  const signature = sign('sha256', Buffer.alloc(0), keys.privateKey).toString('base64')
  const path = `user/${ada.user.userID}/monetary-account/${ada.account['monetary-accountID']}/bunqme-tab`
  const headers = { 'x-bunq-client-authentication': token, 'x-bunq-client-signature': signature }
  await ada.ask.createTab({ params: ada.account, body: { vendorme_tab_entry: { amount_inquired: euros('2.00') } } })
  const answer = await fetch(`${bank.url}/v1/${path}`, { headers })
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toMatchObject({
    Response: [{ BunqMeTab: { bunqme_tab_entry: {}, bunqme_tab_share_url: expect.any(String) } }],
  })
})

test('a request without a signature, with a forged one, of another body or by another key is refused', async () => {
  const earlier = await signIn(bank.url, ada.key)
  const { token, keys } = await signIn(bank.url, ada.key)
  const body = JSON.stringify(order())
  const by = (text: string, key = keys.privateKey) => ({
    'x-bunq-client-signature': sign('sha256', Buffer.from(text), key).toString('base64'),
  })
  expect(await errorOf(await send(token, body))).toMatchObject([466, expect.stringContaining('signature is missing')])
  const invalid = [400, expect.stringContaining('signature is invalid')]
  expect(await errorOf(await send(token, body, { 'x-bunq-client-signature': 'Zm9yZ2Vk' }))).toMatchObject(invalid)
  expect(await errorOf(await send(token, body, by(body.replace('1.00', '9.00')))), 'of another').toMatchObject(invalid)
  expect(await errorOf(await send(token, body, by(body, newKeys().privateKey))), 'foreign').toMatchObject(invalid)
  expect(await errorOf(await send(token, body, by(body, earlier.keys.privateKey))), 'stale').toMatchObject(invalid)
  const reordered = JSON.stringify(Object.fromEntries(Object.entries(order()).reverse()))
  expect(await errorOf(await send(token, reordered, by(body))), 're-ordered').toMatchObject(invalid)
  expect((await send(token, body, by(body))).status).toBe(200)
})

test('only a payment must be signed, and a signature that is sent must be right', async () => {
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

test('headers are named back as the caller writes them', async () => {
  const answer = await fetch(`${bank.url}/v1/user`, { headers: { 'x-bunq-client-authentication': 'unknown' } })
  expect(await errorOf(answer)).toMatchObject([401, expect.stringContaining('X-Bunq-Client-Authentication')])
})

test('a request that is replayed pays once', async () => {
  const { token, keys } = await signIn(bank.url, ada.key)
  const body = JSON.stringify(order())
  const headers = {
    'x-bunq-client-signature': sign('sha256', Buffer.from(body), keys.privateKey).toString('base64'),
    'x-bunq-client-request-id': 'once',
  }
  const before = await bank.balance(bram)
  const answers = await Promise.all(Array.from({ length: 20 }, async () => (await send(token, body, headers)).json()))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(Number(await bank.balance(bram)) - Number(before)).toBeCloseTo(1)
})

test('a session ends at once when it is deleted, also as 0, and by the clock', async () => {
  for (const own of [true, false]) {
    const { ask, session, token, keys } = await signIn(bank.url, ada.key)
    await ask.listUsers({})
    await ask.deleteSession({ params: { itemId: own ? '0' : session } })
    const again = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
    await expect(again.listUsers({}), 'at the very next request').rejects.toMatchObject({ status: 401 })
  }

  await ada.ask.updateUserPerson({ params: { itemId: ada.user.userID }, body: { session_timeout: 3_600 } })
  const other = await signIn(bank.url, ada.key)
  await other.ask.listUsers({})
  await bank.app.clock.advance(3_601_000)
  await expect(other.ask.listUsers({})).rejects.toMatchObject({
    status: 401,
    body: { Error: [{ error_description: expect.stringContaining('has expired') }] },
  })
})

test('a device calls from where it may', async () => {
  await expect(signIn(bank.url, bram.key, ['203.0.113.7'])).rejects.toMatchObject({ status: 400 })
  const anywhere = await signIn(bank.url, bram.key, ['*'])
  await anywhere.ask.listUsers({})
})

test('a wrong key, a small key pair, a made-up token and an installation alone get nowhere', async () => {
  await expect(signIn(bank.url, `sandbox_${'0'.repeat(64)}.YmFuaw`)).rejects.toMatchObject({ status: 400 })
  await expect(install(bank.url, newKeys(1024))).rejects.toMatchObject({ status: 400 })
  const made = client(all, {
    baseUrl: bank.url,
    headers: { 'x-vendor-client-authentication': 'installation.e30.AAAA' },
  })
  await expect(made.listInstallations({})).rejects.toMatchObject({ status: 401 })
  const keys = newKeys()
  const { token } = await install(bank.url, keys)
  const installed = client(all, { baseUrl: bank.url, fetch: signing(token, keys) })
  await expect(installed.listUsers({})).rejects.toMatchObject({ status: 401 })
})

test('a session acts only as its own user: the ids of others are not found, in paths and in bodies', async () => {
  const { ask } = await signIn(bank.url, ada.key)
  const { 'monetary-accountID': hers } = ada.account
  const { 'monetary-accountID': his } = bram.account
  const lost = { status: 404 }
  await expect(ask.listPayments({ params: bram.account })).rejects.toMatchObject(lost)
  await expect(ask.listPayments({ params: { ...ada.user, 'monetary-accountID': his } })).rejects.toMatchObject(lost)
  await expect(
    ask.createPayment({ params: { ...ada.user, 'monetary-accountID': his }, body: order() }),
  ).rejects.toMatchObject(lost)
  await expect(ask.getBankAccount({ params: { ...ada.user, itemId: his } })).rejects.toMatchObject(lost)
  await expect(ask.getUserPerson({ params: { itemId: bram.user.userID } })).rejects.toMatchObject(lost)
  await expect(ask.updateUserPerson({ params: { itemId: bram.user.userID }, body: {} })).rejects.toMatchObject(lost)
  const card = { name_on_card: 'Ada', monetary_account_id_fallback: Number(his) }
  await expect(ask.createCardDebit({ params: ada.user, body: card })).rejects.toMatchObject({ status: 400 })
  const profile = { monetary_account_id: Number(his), description: 'Mine' }
  await expect(ask.createFundraiserProfile({ params: ada.user, body: profile })).rejects.toMatchObject({ status: 400 })
  await ask.listPayments({ params: { ...ada.user, 'monetary-accountID': hers } })
})
