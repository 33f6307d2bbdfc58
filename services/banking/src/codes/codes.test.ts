import { afterAll, beforeAll, expect, test } from 'vitest'
import { reconcile } from '../ledger/store.ts'
import { type Bank, type Customer, euros, idOf, openBank, signIn } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer('100.00')
})
afterAll(async () => {
  const balanced = { sum: 0n, balanceMismatches: [], overdrawn: [], holdMismatches: [] }
  expect(await reconcile(bank.app.platform.database, 'bank')).toEqual(balanced)
  await bank[Symbol.asyncDispose]()
})

async function activeCard(pin = '1234') {
  const body = { name_on_card: 'A. Bakker', pin_code_assignment: [{ pin_code: pin }] }
  const id = idOf(await ada.api.createCardDebit({ params: ada.user, body }))
  await activate(id)
  return { ...ada.user, cardID: id }
}
const activate = (id: string) =>
  ada.api.updateCard({
    params: { ...ada.user, itemId: id },
    body: { status: 'ACTIVE', activation_code: id.padStart(6, '0').slice(-6) },
  })
const buy = async (params: { userID: string; cardID: string }, more: object) => {
  const body = { amount: euros('1.00'), description: 'A shop', country: 'NL', ...more }
  const itemId = idOf(await ada.api.authorizeCard({ params, body }))
  const { body: read } = await ada.api.getMasterCardAction({ params: { ...ada.account, itemId } })
  return read.Response[0]?.MasterCardAction.decision_description
}
const statusOf = async (id: string) =>
  (await ada.api.getCard({ params: { ...ada.user, itemId: id } })).body.Response[0]?.CardDebit.status

test('a generated CVC2 is good for one purchase, a static one for many; both expire', async () => {
  const card = await activeCard()
  const read = async (itemId: string) =>
    (await ada.api.getCode({ params: { ...card, itemId } })).body.Response[0]?.CardGeneratedCvc2
  const once = idOf(await ada.api.createCode({ params: card, body: {} }))
  const { cvc2 = '', status } = (await read(once)) ?? {}
  expect([cvc2, status]).toEqual([expect.stringMatching(/^\d{3}$/), 'AVAILABLE'])
  const wrong = String((Number(cvc2) + 1) % 1_000).padStart(3, '0')
  expect(await buy(card, { cvc2: wrong })).toBe('The CVC2 is wrong.')
  expect(await buy(card, { cvc2 })).toBe('Allowed.')
  expect(await buy(card, { cvc2 })).toBe('The CVC2 is wrong.')
  expect((await read(once))?.status).toBe('USED')

  const later = idOf(await ada.api.createCode({ params: card, body: { type: 'GENERATED' } }))
  const kept = idOf(await ada.api.createCode({ params: card, body: {} }))
  await ada.api.updateCode({ params: { ...card, itemId: kept }, body: { type: 'STATIC' } })
  await bank.app.clock.advance(601_000)
  expect([(await read(later))?.status, (await read(kept))?.status]).toEqual(['EXPIRED', 'AVAILABLE'])
  const fixed = { cvc2: (await read(kept))?.cvc2 }
  expect([await buy(card, fixed), await buy(card, fixed)]).toEqual(['Allowed.', 'Allowed.'])
  await ada.api.updateCard({ params: { ...ada.user, itemId: card.cardID }, body: { status: 'DEACTIVATED' } })
  expect((await read(kept))?.status).toBe('BLOCKED')
  const another = ada.api.createCode({ params: card, body: {} })
  await expect(another, 'the card is not active').rejects.toMatchObject({ status: 400 })
})

test("codes of another user's card are not found, also in a session", async () => {
  const card = await activeCard()
  const bram = await bank.customer()
  const { api } = await signIn(bank.url, bram.key)
  await expect(api.listCodes({ params: card })).rejects.toMatchObject({ status: 404 })
  const through = { ...bram.user, cardID: card.cardID }
  await expect(api.createCode({ params: through, body: {} })).rejects.toMatchObject({ status: 404 })
  await expect(api.replaceCard({ params: through, body: {} })).rejects.toMatchObject({ status: 404 })
})

test('a replaced card works until its replacement is activated, which has its PIN and limits', async () => {
  const card = await activeCard('4321')
  await ada.api.updateCard({ params: { ...ada.user, itemId: card.cardID }, body: { card_limit: euros('7.00') } })
  const id = idOf(await ada.api.replaceCard({ params: card, body: { second_line: 'New' } }))
  expect(await buy(card, {})).toBe('Allowed.')
  await expect(ada.api.replaceCard({ params: card, body: {} }), 'twice').rejects.toMatchObject({ status: 400 })
  await activate(id)
  expect(await statusOf(card.cardID)).toBe('CANCELLED')
  expect(await buy(card, {})).toBe('The card is cancelled.')
  const replacement = { ...ada.user, cardID: id }
  expect(await buy(replacement, { pin_code: '4321' })).toBe('Allowed.')
  expect(await buy(replacement, { amount: euros('7.00') })).toBe('The daily limit of the card is reached.')
})

test('a batch changes or replaces all of its cards, or none', async () => {
  const [one, two] = [await activeCard(), await activeCard()]
  const entry = (id: string, more = {}) => ({ id: Number(id), status: 'DEACTIVATED' as const, ...more })
  const params = ada.user
  const broken = [entry(one.cardID), entry('999999')]
  await expect(ada.api.changeCards({ params, body: { cards: broken } })).rejects.toMatchObject({ status: 404 })
  expect(await statusOf(one.cardID)).toBe('ACTIVE')
  const { body } = await ada.api.changeCards({ params, body: { cards: [entry(one.cardID), entry(two.cardID)] } })
  expect(body.Response[0]?.CardBatch.updated_card_ids.map(({ id }) => String(id))).toEqual([one.cardID, two.cardID])
  expect([await statusOf(one.cardID), await statusOf(two.cardID)]).toEqual(['DEACTIVATED', 'DEACTIVATED'])
  const cards = [{ id: Number(one.cardID) }, { id: Number(two.cardID), name_on_card: 'Ada' }]
  const { body: replaced } = await ada.api.replaceCards({ params, body: { cards } })
  const [, second] = replaced.Response[0]?.CardBatchReplace.updated_card_ids ?? []
  const { body: read } = await ada.api.getCard({ params: { ...params, itemId: String(second?.id) } })
  expect(read.Response[0]?.CardDebit).toMatchObject({ name_on_card: 'Ada', status: 'DEACTIVATED' })
})
