import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  ada = await bank.customer()
})
afterAll(() => bank[Symbol.asyncDispose]())

const own = async () => {
  const { body } = await ada.api.listCategories({ params: ada.user })
  return body.Response.map((item) => item.AdditionalTransactionInformationCategory).filter(
    ({ type }) => type === 'USER_DEFINED',
  )
}

test('createCategory: creates a category, changes it by name, and deletes it', async () => {
  const hobby = { category: 'HOBBY', description: 'Hobbies', color: '#FF0000', icon: 'ball' }
  const put = (more: object, status: 'ACTIVE' | 'DELETED' = 'ACTIVE') =>
    ada.api.createCategory({ params: ada.user, body: { ...hobby, ...more, status } })
  await put({})
  expect(await own()).toMatchObject([{ ...hobby, status: 'ACTIVE' }])
  await put({ color: '#00FF00' })
  expect(await own()).toMatchObject([{ color: '#00FF00' }])
  await put({}, 'DELETED')
  expect(await own()).toEqual([])
})

test('a subscription starts when its user is created', async () => {
  const { body } = await ada.api.listSubscriptions({ params: ada.user })
  const today = bank.app.platform.clock.now().toISOString().slice(0, 10)
  expect(body.Response[0]?.BillingContractSubscription).toMatchObject({ contract_date_start: today, status: 'ACTIVE' })
})
