import { randomUUID } from 'node:crypto'
import { type Context, Failure, implement, notFound, sealingContext } from '@icosa/kernel'
import { type Assignment, cardOf, changeCard, firstAssignment, setPin } from '../cards/change-card.ts'
import { randomDigits } from '../cards/changes.ts'
import { type CardBody, cardStore, findPin, pinColumn } from '../cards/store.ts'
import { created, itemReply } from '../dialect/reply.ts'
import { replacements as contract } from './contract.ts'

interface Replacement {
  readonly name_on_card?: string
  readonly preferred_name_on_card?: string
  readonly second_line?: string
  readonly pin_code_assignment?: readonly Assignment[]
}

async function pinOf({ db, caller, tenantVault }: Context, card: string): Promise<string | undefined> {
  const sealed = await findPin(db, caller.tenant, card)
  return (
    sealed &&
    (await tenantVault()).open(sealed, sealingContext(pinColumn, { tenant: caller.tenant, card_id: card })).toString()
  )
}

/** A new card with the settings and, unless another is given, the PIN of an earlier one. Returns its id. */
async function replaceCard(context: Context, user: string, id: string, changes: Replacement): Promise<string> {
  const { db, caller, clock } = context
  const { tenant } = caller
  const at = clock.now()
  const own = await cardOf(db, tenant, user, id)
  const card = (await cardStore.lock(db, tenant, own.id)) ?? notFound('card', id)
  if (card.status === 'CANCELLED') throw new Failure('invalid', 'The card was cancelled: order another.')
  if (card.body.replacedBy)
    throw new Failure('invalid', `The card is already replaced by card ${card.body.replacedBy}.`)
  const { pin, account } = await firstAssignment(db, tenant, user, changes.pin_code_assignment)
  const { replacedBy: _, ...settings } = card.body
  const body: CardBody = {
    ...settings,
    uuid: randomUUID(),
    nameOnCard: changes.name_on_card ?? settings.nameOnCard,
    preferredName: changes.preferred_name_on_card ?? settings.preferredName,
    secondLine: changes.second_line ?? settings.secondLine,
    orderStatus: 'NEW_CARD_REQUEST_RECEIVED',
    expiryDate: `${at.getUTCFullYear() + 4}-${at.toISOString().slice(5, 7)}-01`,
    fourDigits: randomDigits(),
    numbers: [{ id: 1, uuid: randomUUID(), description: 'primary', status: 'ACTIVE', type: 'PRIMARY' }],
    account: account ?? settings.account,
    reason: null,
    replaces: card.id,
  }
  const replacement = await cardStore.insert(db, tenant, { user }, { status: 'DEACTIVATED', body, at })
  await setPin(context, replacement, pin ?? (await pinOf(context, card.id)) ?? randomDigits())
  await cardStore.update(db, tenant, card.id, { body: { replacedBy: replacement }, at })
  return replacement
}

const toIds = (ids: readonly string[]) => ({ updated_card_ids: ids.map((id) => ({ id: Number(id) })) })

export const replacements = implement(contract, {
  async changeCards({ params, body }, context) {
    const ids: string[] = []
    for (const { id, ...changes } of body.cards) ids.push(await changeCard(context, params.userID, String(id), changes))
    return itemReply('CardBatch', toIds(ids))
  },
  async replaceCards({ params, body }, context) {
    const ids: string[] = []
    for (const { id, ...changes } of body.cards)
      ids.push(await replaceCard(context, params.userID, String(id), changes))
    return itemReply('CardBatchReplace', toIds(ids))
  },
  async replaceCard({ params, body }, context) {
    return created(await replaceCard(context, params.userID, params.cardID, body))
  },
})
