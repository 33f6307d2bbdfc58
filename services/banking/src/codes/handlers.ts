import { Failure, implement, notFound, type ReadingDb } from '@icosa/kernel'
import { cardOf } from '../cards/change-card.ts'
import type { CardBody } from '../cards/store.ts'
import { asList, created, itemReply } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { stamps } from '../schedules/view.ts'
import { momentOf } from '../shapes/moments.ts'
import { type CodeBody, codeStore, cvc2KeyOf, cvc2Of, isAvailable } from './codes.ts'
import { codes as contract } from './contract.ts'

const maxAvailable = 10
const generatedForMs = 600_000

const bodyOf = (card: Stored<CardBody>, type: CodeBody['type'], now: Date): CodeBody => {
  const expiresAt = type === 'STATIC' ? new Date(card.body.expiryDate) : new Date(now.getTime() + generatedForMs)
  return { type, expiresAt: momentOf(expiresAt) }
}

interface ViewContext {
  readonly tenant: string
  readonly key: Buffer
  readonly now: Date
}

function toCode({ tenant, key, now }: ViewContext, card: Stored<CardBody>, code: Stored<CodeBody>) {
  const expired = code.status === 'AVAILABLE' && !isAvailable(code, now)
  const status = expired ? 'EXPIRED' : card.status === 'ACTIVE' ? (code.status as 'AVAILABLE' | 'USED') : 'BLOCKED'
  const { type, expiresAt } = code.body
  return { ...stamps(code), cvc2: cvc2Of(key, tenant, code), type, expiry_time: expiresAt, status } as const
}

interface Params {
  readonly userID: string
  readonly cardID: string
}

async function codeOf(db: ReadingDb, tenant: string, { userID: user, cardID }: Params, id: string) {
  return (await codeStore.find(db, tenant, { user, parent: cardID }, id)) ?? notFound('code', id)
}

function refuseInactive({ status }: Stored<CardBody>): void {
  if (status !== 'ACTIVE') throw new Failure('invalid', `The card is ${status.toLowerCase()}: activate it first.`)
}

export const codes = implement<typeof contract, ServiceRuntime>(contract, {
  async createCode({ params, body: { type = 'GENERATED' } }, { db, caller, clock }) {
    const { tenant } = caller
    const at = clock.now()
    const card = await cardOf(db, tenant, params.userID, params.cardID)
    refuseInactive(card)
    const existing = await codeStore.list(db, tenant, { user: card.user, parent: card.id })
    if (existing.filter((code) => isAvailable(code, at)).length >= maxAvailable)
      throw new Failure('invalid', `A card has at most ${maxAvailable} available codes.`)
    const place = { user: card.user, parent: card.id }
    return created(await codeStore.insert(db, tenant, place, { status: 'AVAILABLE', body: bodyOf(card, type, at), at }))
  },
  async listCodes({ params }, { db, caller, clock, tenantVault }) {
    const context = { tenant: caller.tenant, key: cvc2KeyOf(await tenantVault()), now: clock.now() }
    const card = await cardOf(db, caller.tenant, params.userID, params.cardID)
    const rows = await codeStore.list(db, caller.tenant, { user: card.user, parent: card.id })
    return asList(
      'CardGeneratedCvc2',
      rows.map((row) => toCode(context, card, row)),
    )
  },
  async getCode({ params }, { db, caller, clock, tenantVault }) {
    const context = { tenant: caller.tenant, key: cvc2KeyOf(await tenantVault()), now: clock.now() }
    const card = await cardOf(db, caller.tenant, params.userID, params.cardID)
    return itemReply('CardGeneratedCvc2', toCode(context, card, await codeOf(db, caller.tenant, params, params.itemId)))
  },
  async updateCode({ params, body: { type } }, { db, caller, clock }) {
    const { tenant } = caller
    const at = clock.now()
    const card = await cardOf(db, tenant, params.userID, params.cardID)
    refuseInactive(card)
    const { id } = await codeOf(db, tenant, params, params.itemId)
    const code = (await codeStore.lock(db, tenant, id)) ?? notFound('code', id)
    if (!isAvailable(code, at)) throw new Failure('invalid', 'The code was used, or has expired: generate another.')
    if (type && type !== code.body.type) await codeStore.update(db, tenant, id, { body: bodyOf(card, type, at), at })
    return created(id)
  },
})
