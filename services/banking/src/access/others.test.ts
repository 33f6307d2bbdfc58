import { type Parts, request, type Target } from '@icosa/client'
import { paramNames } from '@icosa/contract'
import { credentialsFor, type Known, startTestApp, type TestApp, validRequest } from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contracts from '../contract.ts'
import { banking } from '../index.ts'
import { type Ask, askAt, customersOf, type SignedIn, signIn, signing } from '../testing/bank.ts'
import { seed } from '../testing/seed.ts'

// One user of the bank has one of everything. Another one, with a session of its own, tries all of it.
const service = banking({ sandboxTenant: 'bank', rates: 'none', anonymousPerMinute: 10_000 })
const operations = Object.values(contracts).flatMap((contract) => Object.entries(contract))
let app: TestApp
let theirs: Known
let own: Known
let session: SignedIn
let target: Target
let ask: Ask

beforeAll(async () => {
  app = await startTestApp(service)
  const owner = await credentialsFor(app, service, 'bank')
  theirs = await seed(owner, app)
  const everybody = askAt(`${app.url}/banking`, await app.key('bank'))
  const customer = customersOf(everybody)
  while (own?.userID === undefined || [theirs.userID, theirs['user-companyID']].includes(own.userID)) {
    const { account, key } = await customer()
    own = account
    session = await signIn(`${app.url}/banking`, key)
  }
  ;({ ask } = session)
  target = { baseUrl: `${app.url}/banking`, fetch: signing(session.token, session.keys) }
})
afterAll(() => app[Symbol.asyncDispose]())

/** A request that fits the contract in all but whose the ids in its path are. */
function requestFor(operation: (typeof operations)[number][1], params: Known): Parts {
  const [sample] = fc.sample(validRequest(operation, params), { numRuns: 1, seed: 3 })
  return { ...sample, params }
}

const below = operations.filter(([, { path }]) => path.startsWith('/user/{userID}'))

test.each(below)('%s: the path of another user leads nowhere', async (_, operation) => {
  expect((await request(operation, target, requestFor(operation, theirs))).status).toBe(404)
})

const inAccount = below.filter(([, { path }]) => path.includes('{monetary-accountID}'))

test.each(inAccount)("%s: another user's account is not found below oneself", async (_, operation) => {
  const params = { ...theirs, userID: own.userID as string }
  expect((await request(operation, target, requestFor(operation, params))).status).toBe(404)
})

const places = ['userID', 'monetary-accountID']
const named = below.filter(([, { path }]) => paramNames(path).some((name) => !places.includes(name)))

test.each(named)('%s: what another user has is not found in an account of oneself', async (_, operation) => {
  const { status } = await request(operation, target, requestFor(operation, { ...theirs, ...own }))
  // What else is wrong with a body that was made up may be said first.
  expect(status).toBeOneOf(operation.method === 'GET' || operation.method === 'DELETE' ? [404] : [400, 404])
})

test('the ids of another user in a body are refused', async () => {
  const [user, account] = [{ userID: own.userID as string }, own as { userID: string; 'monetary-accountID': string }]
  const [theirAccount, attachment] = [Number(theirs['monetary-accountID']), Number(theirs.attachmentID)]
  const refused = { status: 400 }
  const card = { name_on_card: 'A. Person', monetary_account_id_fallback: theirAccount }
  await expect(ask.createCardDebit({ params: user, body: card })).rejects.toMatchObject(refused)
  const { body: made } = await ask.createCardDebit({ params: user, body: { name_on_card: 'A. Person' } })
  const params = { ...user, itemId: String(made.Response[0]?.Id.id) }
  const pins = [{ type: 'PRIMARY' as const, pin_code: '4711', monetary_account_id: theirAccount }]
  await expect(ask.updateCard({ params, body: { pin_code_assignment: pins } })).rejects.toMatchObject(refused)
  await expect(ask.updateCard({ params, body: { monetary_account_id_fallback: theirAccount } })).rejects.toMatchObject(
    refused,
  )
  const profile = { monetary_account_id: theirAccount, description: 'Mine' }
  await expect(ask.createFundraiserProfile({ params: user, body: profile })).rejects.toMatchObject(refused)
  const order = {
    amount: { value: '1.00', currency: 'EUR' },
    counterparty_alias: { type: 'IBAN', value: 'GB82WEST12345698765432', name: 'Somebody' },
    description: 'Tea',
    attachment: [{ id: attachment }],
  }
  await expect(ask.createPayment({ params: account, body: order })).rejects.toMatchObject(refused)
  await expect(ask.createPaymentBatch({ params: account, body: { payments: [order] } })).rejects.toMatchObject(refused)
})
