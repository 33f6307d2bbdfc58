import { randomUUID } from 'node:crypto'
import { statusOf } from '@icosa/dialects/status'
import { asFailure, Failure, isRefusal, type ReadingDb, type RouteHost, type Service } from '@icosa/kernel'
import type { FastifyReply } from 'fastify'
import { userOfKey } from '../access/store.ts'
import { hashOf, tenantOf } from '../access/tokens.ts'
import { existingAccount } from '../accounts/existing.ts'
import { type Account, listAccounts } from '../accounts/store.ts'
import { type Currency, parseMoney } from '../ledger/money.ts'
import { serviceName } from '../names.ts'
import type { Paid } from '../payments/pay.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { donate, payTab } from '../tabs/pay-shared.ts'
import { readShareToken, type Shared } from '../tabs/share.ts'
import { profileStore, tabStore } from '../tabs/store.ts'
import { statusOfTab } from '../tabs/view.ts'
import { consentRoutes } from './consent.ts'
import { send } from './send.ts'
import { closedPage, confirmPage, type PaymentRequest, receiptPage, requestPage } from './views.ts'

const path = `/${serviceName}/pay/:token`

/** The payment request behind a share URL; a message for the visitor if it is no longer open. */
async function requestOf(db: ReadingDb, { tenant, kind, id }: Shared, now: Date): Promise<PaymentRequest | string> {
  if (kind === 'tab') {
    const tab = await tabStore.findAny(db, tenant, id)
    const status = tab ? statusOfTab(tab, now) : 'GONE'
    if (!tab || status !== 'WAITING_FOR_PAYMENT')
      return status === 'PAID'
        ? 'This has already been paid.'
        : `This can no longer be paid: it is ${status.toLowerCase()}.`
    const { amount, currency, description, redirectUrl } = tab.body
    const to = await existingAccount(db, tenant, tab.account as string)
    return { to, amount: BigInt(amount), currency, description, redirectUrl }
  }
  const profile = await profileStore.findAny(db, tenant, id)
  if (profile?.status !== 'ACTIVE') return 'This fundraiser has ended.'
  const { account, currency, description, redirectUrl } = profile.body
  return { to: await existingAccount(db, tenant, account), amount: undefined, currency, description, redirectUrl }
}

/** The oldest open account of the key's owner that has the currency and is not the payee's. */
async function payerBy(db: ReadingDb, tenant: string, key: string, request: PaymentRequest): Promise<Account> {
  const user = tenantOf(key, 'sandbox') === tenant ? await userOfKey(db, tenant, hashOf(key)) : undefined
  if (user === undefined) throw new Failure('invalid', 'This is not the key of a user of this bank.')
  const accounts = await listAccounts(db, tenant, user, { count: 200 })
  const eligible = accounts.filter(
    ({ id, status, currency }) => status === 'ACTIVE' && currency === request.currency && id !== request.to.id,
  )
  const account = eligible.at(-1)
  if (!account) throw new Failure('invalid', `You have no account in ${request.currency} that can pay this.`)
  return account
}

function amountOf({ amount, currency }: PaymentRequest, input: string): bigint {
  if (amount !== undefined) return amount
  const money = parseMoney(input.trim().replace(',', '.'), currency as Currency)
  if (!money || money.amount <= 0n) throw new Failure('invalid', 'Enter an amount such as 12.50.')
  return money.amount
}

/** The pages behind a share URL: request, confirmation, receipt. */
export const payRoutes: NonNullable<Service<ServiceRuntime>['routes']> =
  ({ platform }: RouteHost<ServiceRuntime>) =>
  async (app) => {
    const { database, clock, cellVault } = platform

    async function open(
      token: string,
      reply: FastifyReply,
    ): Promise<{ shared: Shared; payment: PaymentRequest } | undefined> {
      const shared = await readShareToken(cellVault, token)
      if (!shared) {
        send(reply, closedPage('Nothing to pay', 'This link is incomplete or invalid.'), 404)
        return undefined
      }
      const payment = await requestOf(database.of(shared.tenant), shared, clock.now())
      if (typeof payment !== 'string') return { shared, payment }
      send(reply, closedPage('Nothing to pay', payment), 410)
      return undefined
    }

    const pay = ({ tenant, kind, id }: Shared, from: Account, amount: bigint, once: string): Promise<Paid> =>
      platform.transaction(serviceName, tenant, (db, jobs) => {
        const writing = { db, jobs, tenant, at: clock.now() }
        return kind === 'tab' ? payTab(writing, id, from) : donate(writing, id, from, amount, once)
      })

    app.get<{ Params: { token: string } }>(path, async (request, reply) => {
      const opened = await open(request.params.token, reply)
      if (opened) send(reply, requestPage(opened.payment))
      return reply
    })

    app.post<{ Params: { token: string }; Body: unknown }>(path, async (request, reply) => {
      const opened = await open(request.params.token, reply)
      if (!opened) return reply
      const { shared, payment } = opened
      const form = new URLSearchParams(String(request.body ?? ''))
      const [key, amountInput, once] = ['key', 'amount', 'once'].map((name) => form.get(name) ?? '') as [
        string,
        string,
        string,
      ]
      try {
        const amount = amountOf(payment, amountInput)
        const from = await payerBy(database.of(shared.tenant), shared.tenant, key.trim(), payment)
        if (form.get('step') !== 'confirm')
          return send(reply, confirmPage(payment, { from, amount, key: key.trim(), once: randomUUID() }))
        const { id } = await pay(shared, from, amount, once)
        return send(reply, receiptPage(payment, { from, amount, id, at: clock.now() }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return send(reply, requestPage(payment, { problem: error.message, amount: amountInput }), 400)
      }
    })

    consentRoutes(app, platform)

    app.setErrorHandler((error, _, reply) => {
      const { kind, message, retryAfterSeconds } = asFailure(error)
      if (kind === 'internal') platform.log.error({ err: error }, 'bank page')
      if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
      return send(reply, closedPage('This did not work', message), statusOf[kind])
    })
  }
