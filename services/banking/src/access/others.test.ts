import { type Parts, request, type Target } from '@icosa/client'
import { paramNames } from '@icosa/contract'
import { credentialsFor, type Known, startTestApp, type TestApp, validRequest } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contracts from '../contract.ts'
import { banking } from '../index.ts'
import { type BankClient, clientAt, customersOf, type SignedIn, signIn, signing } from '../testing/bank.ts'
import { seed } from '../testing/seed.ts'

// One user owns one of every resource. Another user tries to reach all of them in a session of its own.
const service = banking({ sandboxTenant: 'bank', rates: 'none', anonymousPerMinute: 10_000 })
const operations = Object.values(contracts).flatMap((contract) => Object.entries(contract))
let app: TestApp
let values: Known
let own: Known
let session: SignedIn
let target: Target
let api: BankClient

beforeAll(async () => {
  app = await startTestApp(service)
  const owner = await credentialsFor(app, service, 'bank')
  values = await seed(owner, app)
  const platformClient = clientAt(`${app.url}/banking`, await app.key('bank'))
  const customer = customersOf(platformClient)
  while (own?.userID === undefined || [values.userID, values['user-companyID']].includes(own.userID)) {
    const { account, key } = await customer()
    own = account
    session = await signIn(`${app.url}/banking`, key)
  }
  ;({ api } = session)
  target = { baseUrl: `${app.url}/banking`, fetch: signing(session.token, session.keys) }
})
afterAll(() => app[Symbol.asyncDispose]())

/** A valid request with the given path parameters. */
function requestFor(operation: (typeof operations)[number][1], params: Known): Parts {
  const [sample] = fc.sample(validRequest(operation, params), { numRuns: 1, seed: 3 })
  return { ...sample, params }
}

const below = operations.filter(([, { path }]) => path.startsWith('/user/{userID}'))

test.each(below)('%s: the path of another user is not found', async (_, operation) => {
  expect((await request(operation, target, requestFor(operation, values))).status).toBe(404)
})

const inAccount = below.filter(([, { path }]) => path.includes('{monetary-accountID}'))

test.each(inAccount)("%s: another user's account is not found under the caller's id", async (_, operation) => {
  const params = { ...values, userID: own.userID as string }
  expect((await request(operation, target, requestFor(operation, params))).status).toBe(404)
})

const places = ['userID', 'monetary-accountID']
const withItem = below.filter(([, { path }]) => paramNames(path).some((name) => !places.includes(name)))

test.each(withItem)("%s: another user's item is not found in the caller's account", async (_, operation) => {
  const { status } = await request(operation, target, requestFor(operation, { ...values, ...own }))
  // Other problems of a generated body may be reported first.
  expect(status).toBeOneOf(operation.method === 'GET' || operation.method === 'DELETE' ? [404] : [400, 404])
})

test("another user's ids in a body are rejected", async () => {
  const [user, account] = [{ userID: own.userID as string }, own as { userID: string; 'monetary-accountID': string }]
  const [theirAccount, attachment] = [Number(values['monetary-accountID']), Number(values.attachmentID)]
  const refused = { status: 400 }
  const card = { name_on_card: 'A. Person', monetary_account_id_fallback: theirAccount }
  await expect(api.createCardDebit({ params: user, body: card })).rejects.toMatchObject(refused)
  const { body: created } = await api.createCardDebit({ params: user, body: { name_on_card: 'A. Person' } })
  const params = { ...user, itemId: String(created.Response[0]?.Id.id) }
  const pins = [{ type: 'PRIMARY' as const, pin_code: '4711', monetary_account_id: theirAccount }]
  await expect(api.updateCard({ params, body: { pin_code_assignment: pins } })).rejects.toMatchObject(refused)
  await expect(api.updateCard({ params, body: { monetary_account_id_fallback: theirAccount } })).rejects.toMatchObject(
    refused,
  )
  const profile = { monetary_account_id: theirAccount, description: 'Mine' }
  await expect(api.createFundraiserProfile({ params: user, body: profile })).rejects.toMatchObject(refused)
  const order = {
    amount: { value: '1.00', currency: 'EUR' },
    counterparty_alias: { type: 'IBAN', value: 'GB82WEST12345698765432', name: 'Somebody' },
    description: 'Tea',
    attachment: [{ id: attachment }],
  }
  await expect(api.createPayment({ params: account, body: order })).rejects.toMatchObject(refused)
  await expect(api.createPaymentBatch({ params: account, body: { payments: [order] } })).rejects.toMatchObject(refused)
})
