import { expect, test } from 'vitest'
import { euros, openBank } from '../testing/bank.ts'

test('funds are confirmed to the cent, without reserved amounts, and only to those who may see the balance', async () => {
  await using bank = await openBank()
  const ada = await bank.customer('10.00')
  const bram = await bank.customer()
  const confirms = async (user: typeof ada, value: string) => {
    const body = { pointer_iban: ada.pointer, amount: euros(value) }
    const { body: reply } = await user.api.confirmFunds({ params: user.user, body })
    return reply.Response[0]?.ConfirmationOfFunds.has_sufficient_funds
  }
  expect([await confirms(ada, '10.00'), await confirms(ada, '10.01')]).toEqual([true, false])
  const cardID = String(
    (await ada.api.createCardDebit({ params: ada.user, body: { name_on_card: 'A' } })).body.Response[0]?.Id.id,
  )
  const active = { status: 'ACTIVE', activation_code: cardID.padStart(6, '0') } as const
  await ada.api.updateCard({ params: { ...ada.user, itemId: cardID }, body: active })
  const use = { amount: euros('4.00'), description: 'A shop', country: 'NL' }
  await ada.api.authorizeCard({ params: { ...ada.user, cardID }, body: use })
  expect([await confirms(ada, '6.00'), await confirms(ada, '6.01')]).toEqual([true, false])
  await expect(confirms(bram, '1.00')).rejects.toMatchObject({ status: 400 })
})
