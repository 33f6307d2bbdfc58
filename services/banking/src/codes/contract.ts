import { extensions, named, oneOf, Type } from '@icosa/contract'
import { get, IdAnswer, many, one, post, put } from '../dialect/contract.ts'
import { Moment, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/card/{cardID}/generated-cvc2'
const NewCode = named('NewCardGeneratedCvc2', { type: Type.Optional(oneOf('STATIC', 'GENERATED')) })
const Code = named('CardGeneratedCvc2', {
  ...stamps,
  cvc2: Type.String(),
  type: oneOf('STATIC', 'GENERATED'),
  expiry_time: Moment,
  status: oneOf('AVAILABLE', 'USED', 'EXPIRED', 'BLOCKED'),
})

export const codes = extensions({
  createCode: post(at, {
    summary: 'Generate a CVC2 of a card: for one purchase within ten minutes, or a static one.',
    body: NewCode,
    replies: { 200: IdAnswer },
  }),
  listCodes: get(at, { summary: 'List the CVC2s of a card.', replies: { 200: many('CardGeneratedCvc2', Code) } }),
  getCode: get(`${at}/{itemId}`, {
    summary: 'Read a CVC2 of a card.',
    replies: { 200: one('CardGeneratedCvc2', Code) },
  }),
  updateCode: put(`${at}/{itemId}`, {
    summary: 'Change the type of an available CVC2, and with it when it expires.',
    body: NewCode,
    replies: { 200: IdAnswer },
  }),
})
