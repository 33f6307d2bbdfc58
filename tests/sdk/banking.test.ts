import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { banking } from '@icosa/banking'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: the client's own types end where its answers begin
type Any = any

const require = createRequire(import.meta.url)
const { default: BunqJSClient } = require('@bunq-community/bunq-js-client')
const { URL_ENVIROMENTS } = require('@bunq-community/bunq-js-client/dist/Session.js')

const silent = Object.fromEntries(['log', 'error', 'debug', 'info', 'warn', 'trace'].map((level) => [level, () => {}]))

/** The unmodified client. It has no option for another address; the table of its addresses can be changed. */
function newClient(): Any {
  const kept = new Map<string, unknown>()
  const storage = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: unknown) => void kept.set(key, value),
    remove: async (key: string) => void kept.delete(key),
  }
  return new BunqJSClient(storage, silent)
}

/** Its own way to make keys takes half a minute. In its tests it takes them from the environment, which is how we give them. */
async function withFastKeys(run: () => Promise<void>): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  Object.assign(process.env, { ENV_CI: 'true', CI_PUBLIC_KEY_PEM: publicKey, CI_PRIVATE_KEY_PEM: privateKey })
  await run()
  for (const name of ['ENV_CI', 'CI_PUBLIC_KEY_PEM', 'CI_PRIVATE_KEY_PEM']) delete process.env[name]
}

/** From a key of the sandbox to an open session. */
async function signIn(): Promise<{ client: Any; user: number; account: number; iban: string }> {
  const client = newClient()
  const key = await client.api.sandboxUser.post()
  await withFastKeys(() => client.run(key, [], 'SANDBOX', '0123456789abcdef0123456789abcdef'))
  client.setKeepAlive(false)
  await client.install()
  await client.registerDevice('a device')
  await client.registerSession()
  const { UserPerson } = await client.getUsers(true)
  const [first] = await client.api.monetaryAccount.list(UserPerson.id)
  const { id, alias } = first.MonetaryAccountBank
  return { client, user: UserPerson.id, account: id, iban: alias[0].value }
}

let app: TestApp
let ada: Awaited<ReturnType<typeof signIn>>
let bram: Awaited<ReturnType<typeof signIn>>

beforeAll(async () => {
  app = await startTestApp({
    services: [banking({ sandboxTenant: 'sandbox' })],
    clock: 'system',
    worker: { concurrency: 4, background: true },
  })
  URL_ENVIROMENTS.SANDBOX = `${app.url}/banking`
  ada = await signIn()
  bram = await signIn()
})
afterAll(() => app[Symbol.asyncDispose]())

const euros = (value: string) => ({ value, currency: 'EUR' })
const balance = async ({ client, user, account }: typeof ada) =>
  (await client.api.monetaryAccount.get(user, account)).MonetaryAccountBank.balance.value

test('from installation to a payment, and to the callback of who receives it', async () => {
  const calls: { body: string; signature: string }[] = []
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    calls.push({ body, signature: String(request.headers['x-bunq-server-signature']) })
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`
  const filters = [{ category: 'MUTATION', notification_target: target }]
  await bram.client.ApiAdapter.post(`/v1/user/${bram.user}/notification-filter-url`, { notification_filters: filters })

  const sugar = { type: 'EMAIL', value: 'sugardaddy@bunq.com', name: 'Sugar Daddy' }
  await ada.client.api.requestInquiry.post(ada.user, ada.account, 'Please', euros('500.00'), sugar)
  expect(await balance(ada)).toBe('500.00')

  const to = { type: 'IBAN', value: bram.iban, name: 'Bram' }
  const made = await ada.client.api.payment.post(ada.user, ada.account, 'Lunch', euros('12.50'), to)
  expect(made).toEqual([{ Id: { id: expect.any(Number) } }])
  expect([await balance(ada), await balance(bram)]).toEqual(['487.50', '12.50'])
  const [received] = await bram.client.api.payment.list(bram.user, bram.account)
  expect(received.Payment).toMatchObject({ amount: euros('12.50'), description: 'Lunch', allow_bunqto: false })
  expect(received.Payment).not.toHaveProperty('allow_vendorto')

  await expect.poll(() => calls.length).toBe(1)
  const [call] = calls as [{ body: string; signature: string }]
  expect(JSON.parse(call.body)).toMatchObject({
    NotificationUrl: { category: 'MUTATION', object: { Payment: { amount: euros('12.50'), allow_bunqto: false } } },
  })
  const key = bram.client.Session.serverPublicKeyPem
  expect(verify('sha256', Buffer.from(call.body), key, Buffer.from(call.signature, 'base64'))).toBe(true)
  receiver.close()
})
