import { verify } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank, signIn } from '../testing/bank.ts'

let bank: Bank
let ada: Customer
let bram: Customer
const calls: { readonly body: string; readonly signature: string }[] = []
let status = 200
let mailFolder: string
const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  calls.push({ body, signature: String(request.headers['x-vendor-server-signature']) })
  response.writeHead(status).end()
})

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  mailFolder = await mkdtemp(join(tmpdir(), 'icosa-bank-mail-'))
  const transport = { kind: 'directory', path: mailFolder } as const
  bank = await openBank({ mail: { from: 'Bank <bank@example.com>', transport } })
  ada = await bank.customer('100.00')
  bram = await bank.customer()
})
afterAll(async () => {
  receiver.close()
  await bank[Symbol.asyncDispose]()
  await rm(mailFolder, { recursive: true })
})

type Filters = Parameters<Customer['api']['setUserFilters']>[0]['body']
const filters = (...categories: Filters['notification_filters'][0]['category'][]): Filters => ({
  notification_filters: categories.map((category) => ({
    category,
    notification_target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`,
  })),
})
const pay = () =>
  ada.api.createPayment({
    params: ada.account,
    body: { amount: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' },
  })

test('setUserFilters and setAccountFilters replace earlier filters, and are listed', async () => {
  await bram.api.setAccountFilters({ params: bram.account, body: filters('REQUEST') })
  await bram.api.setUserFilters({ params: bram.user, body: filters('REQUEST') })
  await bram.api.setUserFilters({ params: bram.user, body: filters('PAYMENT') })
  const { body } = await bram.api.listUserFilters({ params: bram.user })
  expect(body.Response.map((item) => item.NotificationFilterUrl.category)).toEqual(['PAYMENT'])
  const { body: ofAccount } = await bram.api.listAccountFilters({ params: bram.account })
  expect(ofAccount.Response.map((item) => item.NotificationFilterUrl.category)).toEqual(['REQUEST'])
})

test('subscribers are notified of a payment by a signed callback', async () => {
  const { serverKey } = await signIn(bank.url, bram.key)
  await pay()
  await bank.app.jobs.drain()
  expect(calls).toHaveLength(1)
  const [{ body, signature }] = calls as [(typeof calls)[0]]
  expect(JSON.parse(body)).toMatchObject({
    NotificationUrl: {
      category: 'PAYMENT',
      event_type: 'PAYMENT_CREATED',
      object: { Payment: { amount: euros('1.00') } },
    },
  })
  expect(verify('sha256', Buffer.from(body), serverKey, Buffer.from(signature, 'base64'))).toBe(true)
})

test('a failed callback is retried five times, a minute apart', async () => {
  calls.length = 0
  status = 500
  await pay()
  await bank.app.jobs.drain()
  expect(calls).toHaveLength(1)
  for (let minute = 0; minute < 8; minute++) {
    await bank.app.clock.advance(60_000)
    await bank.app.jobs.drain()
  }
  expect(calls).toHaveLength(6)
  expect(new Set(calls.map(({ body }) => body)).size).toBe(1)
  status = 200
})

test('events of a user contain the object that changed', async () => {
  const { body } = await bram.api.listEvents({ params: bram.user })
  expect(body.Response[0]?.Event).toMatchObject({ action: 'CREATE', object: { Payment: { amount: euros('1.00') } } })
  const itemId = String(body.Response[0]?.Event.id)
  await expect(ada.api.getEvent({ params: { ...ada.user, itemId } })).rejects.toMatchObject({ status: 404 })
})

test('push notifications and mails are sent in the categories that the user has chosen', async () => {
  const only = (category: 'PAYMENT' | 'REQUEST') => ({ notification_filters: [{ category }] })
  const pushed = async (customer: Customer) => {
    const { body } = await customer.api.listPushNotifications({ params: customer.user, query: { count: 200 } })
    return body.Response.map(({ PushNotification }) => PushNotification)
  }
  await bram.api.setPushFilters({ params: bram.user, body: only('REQUEST') })
  await bram.api.setPushFilters({ params: bram.user, body: only('PAYMENT') })
  await bram.api.setEmailFilters({ params: bram.user, body: only('PAYMENT') })
  await pay()
  await ada.api.createRequestInquiry({
    params: ada.account,
    body: { amount_inquired: euros('1.00'), counterparty_alias: bram.pointer, description: 'Tea' },
  })
  await bank.app.jobs.drain()
  const [push, ...others] = await pushed(bram)
  expect(push).toMatchObject({ category: 'PAYMENT', event_type: 'PAYMENT_CREATED' })
  expect([others, await pushed(ada)]).toEqual([[], []])
  const { body } = await bram.api.getEvent({ params: { ...bram.user, itemId: String(push?.id) } })
  expect(body.Response[0]?.Event.object).toMatchObject({ Payment: { amount: euros('1.00') } })
  const mails = await readdir(mailFolder)
  expect(mails).toHaveLength(1)
  const mail = await readFile(join(mailFolder, mails[0] as string), 'utf8')
  expect(mail).toMatch(/^Subject: Payment$/m)
  const { body: user } = await bram.api.getUserPerson({ params: { itemId: bram.user.userID } })
  expect(mail).toContain(user.Response[0]?.UserPerson.alias[0]?.value)
  const { body: listed } = await bram.api.listEmailFilters({ params: bram.user })
  expect(listed.Response.map((item) => item.NotificationFilterEmail.category)).toEqual(['PAYMENT'])
  await bram.api.setEmailFilters({ params: bram.user, body: { notification_filters: [] } })
})

test('a bank without a mail server refuses filters for mail', async () => {
  await using without = await openBank()
  const cleo = await without.customer()
  const body = { notification_filters: [{ category: 'PAYMENT' as const }] }
  await expect(cleo.api.setEmailFilters({ params: cleo.user, body })).rejects.toMatchObject({ status: 400 })
})

test('card transactions are published in the original categories; unknown categories are rejected', async () => {
  calls.length = 0
  const subscribed = ['CARD_TRANSACTION_SUCCESSFUL', 'CARD_TRANSACTION_FAILED', 'SCHEDULE_STATUS', 'SHARE'] as const
  await ada.api.setUserFilters({ params: ada.user, body: filters(...subscribed) })
  const cardID = idOf(await ada.api.createCardDebit({ params: ada.user, body: { name_on_card: 'A. Bakker' } }))
  const use = { amount: euros('1.00'), description: 'A shop', country: 'NL' }
  await ada.api.authorizeCard({ params: { ...ada.user, cardID }, body: use })
  const active = { status: 'ACTIVE', activation_code: cardID.padStart(6, '0') } as const
  await ada.api.updateCard({ params: { ...ada.user, itemId: cardID }, body: active })
  await ada.api.authorizeCard({ params: { ...ada.user, cardID }, body: use })
  await bank.app.jobs.drain()
  expect(calls.map(({ body }) => JSON.parse(body).NotificationUrl.category).toSorted()).toEqual(
    subscribed.slice(0, 2).reverse(),
  )
  const unknown = filters('CARD_TRANSACTIONS' as 'PAYMENT')
  await expect(ada.api.setUserFilters({ params: ada.user, body: unknown })).rejects.toMatchObject({ status: 400 })
})
