import { extensions, named, Type } from '@icosa/contract'
import { Changes, line, PinAssignment } from '../cards/contract.ts'
import { create, one, post } from '../dialect/contract.ts'

const id = Type.Integer({ minimum: 1, maximum: 10 ** 15 })
const UpdatedIds = { updated_card_ids: Type.Array(named('UpdatedCardId', { id: Type.Integer() })) }
const { card_limit, card_limit_atm, country_permission, monetary_account_id_fallback, status } = Changes.properties
const replacement = {
  name_on_card: Type.Optional(line),
  preferred_name_on_card: Type.Optional(line),
  second_line: Type.Optional(Type.String({ maxLength: 20 })),
  pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
}
const Entry = named('CardBatchEntry', {
  id,
  card_limit,
  card_limit_atm,
  country_permission,
  monetary_account_id_fallback,
  status,
})
const ReplaceEntry = named('CardBatchReplaceEntry', { id, ...replacement })

export const replacements = extensions({
  changeCards: post('/user/{userID}/card-batch', {
    summary: 'Change several cards, all of them or none.',
    body: named('NewCardBatch', { cards: Type.Array(Entry, { minItems: 1, maxItems: 50 }) }),
    replies: { 200: one('CardBatch', named('CardBatch', UpdatedIds)) },
  }),
  replaceCards: post('/user/{userID}/card-batch-replace', {
    summary: 'Order replacements of several cards, of all or none. Returns the ids of the new cards.',
    body: named('NewCardBatchReplace', { cards: Type.Array(ReplaceEntry, { minItems: 1, maxItems: 50 }) }),
    replies: { 200: one('CardBatchReplace', named('CardBatchReplace', UpdatedIds)) },
  }),
  replaceCard: create(
    '/user/{userID}/card/{cardID}/replace',
    'Order a replacement of a card, which works until its replacement is activated. Returns the id of the new card.',
    named('NewCardReplacement', replacement),
  ),
})
