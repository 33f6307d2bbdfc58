import type { Static } from '@icosa/contract'
import { type Context, Failure, invalid, notFound, type ReadingDb, sealingContext } from '@icosa/kernel'
import { existingAccount } from '../accounts/existing.ts'
import { type Account, findAccount } from '../accounts/store.ts'
import type { Stored } from '../documents/store.ts'
import { changedCountries, changedNumbers, limitIn } from './changes.ts'
import type { Changes } from './contract.ts'
import { type CardBody, cardStore, cardTransitions, pinColumn, putPin } from './store.ts'

export type CardChanges = Static<typeof Changes>

export async function cardOf(db: ReadingDb, tenant: string, user: string, id: string): Promise<Stored<CardBody>> {
  return (await cardStore.find(db, tenant, { user }, id)) ?? notFound('card', id)
}

/** Checks that an account in a body is the user's. */
export async function ownAccount(
  db: ReadingDb,
  tenant: string,
  user: string,
  id: string,
  at: string,
): Promise<Account> {
  const account = await findAccount(db, tenant, id)
  return account?.user === user ? account : invalid([{ at, message: `there is no account ${id}` }])
}

export async function setPin({ db, caller, tenantVault }: Context, card: string, pin: string): Promise<void> {
  const context = sealingContext(pinColumn, { tenant: caller.tenant, card_id: card })
  await putPin(db, caller.tenant, card, (await tenantVault()).seal(pin, context))
}

export interface Assignment {
  readonly pin_code?: string
  readonly monetary_account_id?: number
}

/** Returns PIN and account of the first assignment; others have no effect. */
export async function firstAssignment(
  db: ReadingDb,
  tenant: string,
  user: string,
  [first]: readonly Assignment[] = [],
) {
  const id = first?.monetary_account_id
  if (id === undefined) return { pin: first?.pin_code }
  const { id: account } = await ownAccount(db, tenant, user, String(id), 'body/pin_code_assignment')
  return { pin: first?.pin_code, account }
}

/** In the sandbox, the activation code is the last six digits of the card's id. */
const activationCode = (card: string) => card.padStart(6, '0').slice(-6)

export const isFinal = (status: string) => !(status in cardTransitions)

/** The card that this one replaces works until this one is activated. */
async function retireReplaced({ db, caller, clock }: Context, { body }: Stored<CardBody>): Promise<void> {
  const replaced = body.replaces === undefined ? undefined : await cardStore.lock(db, caller.tenant, body.replaces)
  if (replaced && !isFinal(replaced.status))
    await cardStore.update(db, caller.tenant, replaced.id, { status: 'CANCELLED', at: clock.now() })
}

export async function changeCard(context: Context, user: string, itemId: string, body: CardChanges): Promise<string> {
  const { db, caller, clock } = context
  const { tenant } = caller
  const { id } = await cardOf(db, tenant, user, itemId)
  const card = (await cardStore.lock(db, tenant, id)) ?? notFound('card', id)
  if (isFinal(card.status)) throw new Failure('invalid', `The card was ${card.status.toLowerCase()}: order another.`)
  if (body.activation_code !== undefined && body.activation_code !== activationCode(card.id))
    invalid([
      { at: 'body/activation_code', message: 'is wrong: in the sandbox it is the id of the card, in six digits' },
    ])
  const isActivated = body.activation_code !== undefined || card.body.orderStatus === 'DELIVERED_TO_CUSTOMER'
  if (body.status === 'ACTIVE' && !isActivated)
    invalid([{ at: 'body/activation_code', message: 'is required to activate a new card' }])
  if ((body.status === 'LOST' || body.status === 'STOLEN') && !isActivated)
    invalid([{ at: 'body/status', message: `cannot be ${body.status} before the card is delivered: cancel it` }])
  const { pin, account } = await firstAssignment(db, tenant, user, body.pin_code_assignment)
  const newPin = body.pin_code ?? pin
  if (newPin !== undefined) await setPin(context, card.id, newPin)
  const { currency } = await existingAccount(db, tenant, account ?? card.body.account)
  const fallback = body.monetary_account_id_fallback
  if (fallback !== undefined) await ownAccount(db, tenant, user, String(fallback), 'body/monetary_account_id_fallback')
  for (const { monetary_account_id: accountId } of body.primary_account_numbers ?? [])
    if (typeof accountId === 'number')
      await ownAccount(db, tenant, user, String(accountId), 'body/primary_account_numbers')
  const limit = body.card_limit && limitIn(currency, body.card_limit, 'body/card_limit')
  const limitAtm = body.card_limit_atm && limitIn(currency, body.card_limit_atm, 'body/card_limit_atm')
  const change: Partial<CardBody> = {
    ...(body.activation_code !== undefined && { orderStatus: 'DELIVERED_TO_CUSTOMER' }),
    ...(body.order_status && { orderStatus: body.order_status }),
    ...(limit !== undefined && { limit: String(limit) }),
    ...(limitAtm !== undefined && { limitAtm: String(limitAtm) }),
    ...(body.country_permission && { countries: changedCountries(card.body.countries, body.country_permission) }),
    ...(body.primary_account_numbers && { numbers: changedNumbers(card.body.numbers, body.primary_account_numbers) }),
    ...(body.preferred_name_on_card !== undefined && { preferredName: body.preferred_name_on_card }),
    ...(body.second_line !== undefined && { secondLine: body.second_line }),
    ...(body.cancellation_reason !== undefined && { reason: body.cancellation_reason }),
    ...(fallback !== undefined && { fallback: String(fallback) }),
    ...(account !== undefined && { account }),
  }
  await cardStore.update(db, tenant, card.id, { status: body.status, body: change, at: clock.now() })
  if (body.status === 'ACTIVE') await retireReplaced(context, card)
  return card.id
}
