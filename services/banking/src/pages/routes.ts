import { randomUUID } from 'node:crypto'
import { statusOf } from '@icosa/dialects/status'
import { asFailure, Failure, isRefusal, type ReadingDb, type RouteHost, type Service } from '@icosa/kernel'
import type { FastifyReply } from 'fastify'
import { userOfKey } from '../access/store.ts'
import { hashOf, tenantOf } from '../access/tokens.ts'
import { accountNamed } from '../accounts/named.ts'
import { type Account, listAccounts } from '../accounts/store.ts'
import { type Currency, parseMoney } from '../ledger/money.ts'
import { serviceName } from '../names.ts'
import type { Paid } from '../payments/pay.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { give, payTab } from '../tabs/pay-shared.ts'
import { readShareToken, type Shared } from '../tabs/share.ts'
import { profileRecords, tabRecords } from '../tabs/store.ts'
import { statusOfTab } from '../tabs/view.ts'
import { consentRoutes } from './consent.ts'
import { send } from './send.ts'
import { type Asked, askPage, closedPage, confirmPage, receiptPage } from './views.ts'

const path = `/${serviceName}/pay/:token`

/** What a share URL asks for; words for whoever sits there, if it asks for nothing any more. */
async function askedBy(db: ReadingDb, { tenant, kind, id }: Shared, now: Date): Promise<Asked | string> {
  if (kind === 'tab') {
    const tab = await tabRecords.findAny(db, tenant, id)
    const status = tab ? statusOfTab(tab, now) : 'GONE'
    if (!tab || status !== 'WAITING_FOR_PAYMENT')
      return status === 'PAID'
        ? 'This was paid already.'
        : `This cannot be paid any more: it is ${status.toLowerCase()}.`
    const { amount, currency, description, redirectUrl } = tab.body
    const to = await accountNamed(db, tenant, tab.account as string)
    return { to, amount: BigInt(amount), currency, description, redirectUrl }
  }
  const profile = await profileRecords.findAny(db, tenant, id)
  if (profile?.status !== 'ACTIVE') return 'Nobody raises funds here any more.'
  const { account, currency, description, redirectUrl } = profile.body
  return { to: await accountNamed(db, tenant, account), amount: undefined, currency, description, redirectUrl }
}

/** The account from which the user pays whose key it is: the oldest that is open, has the currency and is not the payee's. */
async function payerBy(db: ReadingDb, tenant: string, key: string, asked: Asked): Promise<Account> {
  const user = tenantOf(key, 'sandbox') === tenant ? await userOfKey(db, tenant, hashOf(key)) : undefined
  if (user === undefined) throw new Failure('invalid', 'This is not the key of a user of this bank.')
  const accounts = await listAccounts(db, tenant, user, { count: 200 })
  const fitting = accounts.filter(
    ({ id, status, currency }) => status === 'ACTIVE' && currency === asked.currency && id !== asked.to.id,
  )
  const account = fitting.at(-1)
  if (!account) throw new Failure('invalid', `You have no account in ${asked.currency} from which this can be paid.`)
  return account
}

function amountOf({ amount, currency }: Asked, given: string): bigint {
  if (amount !== undefined) return amount
  const money = parseMoney(given.trim().replace(',', '.'), currency as Currency)
  if (!money || money.amount <= 0n) throw new Failure('invalid', 'Enter an amount such as 12.50.')
  return money.amount
}

/** The page behind a share URL: what is asked for, a confirmation, a receipt. */
export const payRoutes: NonNullable<Service<ServiceRuntime>['routes']> =
  ({ platform }: RouteHost<ServiceRuntime>) =>
  async (app) => {
    const { database, clock, vault } = platform

    async function open(token: string, reply: FastifyReply): Promise<{ shared: Shared; asked: Asked } | undefined> {
      const shared = readShareToken(vault, token)
      if (!shared) {
        send(
          reply,
          closedPage('Nothing to pay', 'This address is not complete, or nobody asks for anything here.'),
          404,
        )
        return undefined
      }
      const asked = await askedBy(database.of(shared.tenant), shared, clock.now())
      if (typeof asked !== 'string') return { shared, asked }
      send(reply, closedPage('Nothing to pay', asked), 410)
      return undefined
    }

    const pay = ({ tenant, kind, id }: Shared, from: Account, amount: bigint, once: string): Promise<Paid> =>
      platform.transaction(serviceName, tenant, (db, jobs) => {
        const writing = { db, jobs, tenant, at: clock.now() }
        return kind === 'tab' ? payTab(writing, id, from) : give(writing, id, from, amount, once)
      })

    app.get<{ Params: { token: string } }>(path, async (request, reply) => {
      const found = await open(request.params.token, reply)
      if (found) send(reply, askPage(found.asked))
      return reply
    })

    app.post<{ Params: { token: string }; Body: unknown }>(path, async (request, reply) => {
      const found = await open(request.params.token, reply)
      if (!found) return reply
      const { shared, asked } = found
      const form = new URLSearchParams(String(request.body ?? ''))
      const [key, given, once] = ['key', 'amount', 'once'].map((name) => form.get(name) ?? '') as [
        string,
        string,
        string,
      ]
      try {
        const amount = amountOf(asked, given)
        const from = await payerBy(database.of(shared.tenant), shared.tenant, key.trim(), asked)
        if (form.get('step') !== 'confirm')
          return send(reply, confirmPage(asked, { from, amount, key: key.trim(), once: randomUUID() }))
        const { id } = await pay(shared, from, amount, once)
        return send(reply, receiptPage(asked, { from, amount, id, at: clock.now() }))
      } catch (error) {
        if (!isRefusal(error)) throw error
        return send(reply, askPage(asked, { problem: error.message, amount: given }), 400)
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
