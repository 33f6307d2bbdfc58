import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

const tabOf = async (itemId: string) =>
  (await ada.api.getTab({ params: { ...ada.account, itemId } })).body.Response[0]?.VendorMeTab

test("createTab and updateTab accept both spellings, and return the caller's", async () => {
  const entry = { amount_inquired: euros('5'), description: 'Cake', redirect_url: 'https://shop.example/thanks' }
  const neutral = idOf(await ada.api.createTab({ params: ada.account, body: { vendorme_tab_entry: entry } }))
  const original = idOf(await ada.api.createTab({ params: ada.account, body: { bunqme_tab_entry: entry } as object }))
  for (const itemId of [neutral, original])
    expect(await tabOf(itemId)).toMatchObject({
      status: 'WAITING_FOR_PAYMENT',
      vendorme_tab_entry: { ...entry, amount_inquired: euros('5.00') },
      vendorme_tab_share_url: expect.stringMatching(/\/pay\/[\w.-]+$/),
    })
  const changed: object = { bunqme_tab_entry: { amount_inquired: euros('7.00'), description: 'Cakes' } }
  await ada.api.updateTab({ params: { ...ada.account, itemId: neutral }, body: changed })
  expect(await tabOf(neutral)).toMatchObject({
    vendorme_tab_entry: { description: 'Cakes', amount_inquired: euros('7.00') },
  })
  await expect(ada.api.createTab({ params: ada.account, body: {} })).rejects.toMatchObject({ status: 400 })
})

test('a tab can be cancelled once, and expires', async () => {
  const body = { vendorme_tab_entry: { amount_inquired: euros('5.00') } }
  const itemId = idOf(await ada.api.createTab({ params: ada.account, body }))
  const cancel = () => ada.api.updateTab({ params: { ...ada.account, itemId }, body: { status: 'CANCELLED' } })
  await cancel()
  await expect(cancel()).rejects.toMatchObject({ status: 400 })
  const other = idOf(await ada.api.createTab({ params: ada.account, body }))
  await bank.app.clock.advance(31 * 86_400_000)
  expect(await tabOf(other)).toMatchObject({ status: 'EXPIRED' })
})
