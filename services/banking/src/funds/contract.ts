import { extensions, named, Type } from '@icosa/contract'
import { one, post } from '../dialect/contract.ts'
import { Amount, Pointer } from '../shapes/contract.ts'

export const funds = extensions({
  confirmFunds: post('/user/{userID}/confirmation-of-funds', {
    summary:
      'Confirm whether an account covers an amount: one of the user, or one whose balance is shared with the user.',
    body: named('NewConfirmationOfFunds', { pointer_iban: Pointer, amount: Amount }),
    replies: {
      200: one('ConfirmationOfFunds', named('ConfirmationOfFunds', { has_sufficient_funds: Type.Boolean() })),
    },
  }),
})
