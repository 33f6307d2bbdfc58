import { type Contract, named, type Schema, Type } from '@icosa/contract'
import { constructorsWith, IdAnswer, many, NothingAnswer, one, pageQuery } from '../dialect/contract.ts'
import { AttachmentId, LabelUser, stamps } from '../shapes/contract.ts'

const at = '/user/{userID}/monetary-account/{monetary-accountID}'

/** Resources that can have notes: the path below an account, its parameter, and the kind. */
export const parents = [
  { path: '/payment/{paymentID}', param: 'paymentID', kind: 'Payment' },
  { path: '/payment-batch/{payment-batchID}', param: 'payment-batchID', kind: 'PaymentBatch' },
  { path: '/draft-payment/{draft-paymentID}', param: 'draft-paymentID', kind: 'DraftPayment' },
  { path: '/request-inquiry/{request-inquiryID}', param: 'request-inquiryID', kind: 'RequestInquiry' },
  {
    path: '/request-inquiry-batch/{request-inquiry-batchID}',
    param: 'request-inquiry-batchID',
    kind: 'RequestInquiryBatch',
  },
  { path: '/request-response/{request-responseID}', param: 'request-responseID', kind: 'RequestResponse' },
  { path: '/schedule-payment/{schedule-paymentID}', param: 'schedule-paymentID', kind: 'SchedulePayment' },
  {
    path: '/ideal-merchant-transaction/{ideal-merchant-transactionID}',
    param: 'ideal-merchant-transactionID',
    kind: 'IdealMerchantTransaction',
  },
  {
    path: '/schedule-payment-batch/{schedule-payment-batchID}',
    param: 'schedule-payment-batchID',
    kind: 'SchedulePaymentBatch',
  },
  {
    path: '/schedule/{scheduleID}/schedule-instance/{schedule-instanceID}',
    param: 'schedule-instanceID',
    kind: 'ScheduleInstance',
  },
  { path: '/mastercard-action/{mastercard-actionID}', param: 'mastercard-actionID', kind: 'MasterCardAction' },
  {
    path: '/vendorme-fundraiser-result/{vendorme-fundraiser-resultID}',
    param: 'vendorme-fundraiser-resultID',
    kind: 'VendorMeFundraiserResult',
  },
] as const

export type Parent = (typeof parents)[number]

const common = { ...stamps, label_user_creator: LabelUser }
const Text = named('NoteText', { ...common, content: Type.String() })
const File = named('NoteAttachment', {
  ...common,
  description: Type.Nullable(Type.String()),
  attachment: Type.Array(AttachmentId),
})

const kinds = {
  NoteText: {
    path: '/note-text',
    noun: 'a text note',
    shape: Text,
    body: named('NewNoteText', { content: Type.String({ minLength: 1, maxLength: 10_000 }) }),
  },
  NoteAttachment: {
    path: '/note-attachment',
    noun: 'a file',
    shape: File,
    body: named('NewNoteAttachment', {
      attachment_id: AttachmentId.properties.id,
      description: Type.Optional(Type.String({ maxLength: 1_000 })),
    }),
  },
} as const

export type NoteKind = keyof typeof kinds
export const noteKinds = Object.keys(kinds) as NoteKind[]

/** The name of one of some hundred operations: five verbs, two kinds of notes, a dozen kinds of parents. */
export const noteOperation = (verb: string, note: NoteKind, parent: Parent) => `${verb}${note}${parent.kind}`

function operationsOn(note: NoteKind, parent: Parent): Contract {
  const { path, noun, shape, body } = kinds[note]
  const { get, post, put, delete: remove } = constructorsWith({ [parent.param]: 'item' })
  const all: string = at + parent.path + path
  const item: string = `${all}/{itemId}`
  const on = parent.kind
  const extension = true
  const of = (verb: string) => noteOperation(verb, note, parent)
  return {
    [of('create')]: post(all, {
      summary: `Attach ${noun} to a ${on}.`,
      body: body as Schema,
      replies: { 200: IdAnswer },
      extension,
    }),
    [of('list')]: get(all, {
      summary: `List the notes of a ${on}.`,
      query: pageQuery,
      replies: { 200: many(note, shape as Schema) },
      extension,
    }),
    [of('get')]: get(item, {
      summary: `Read a note of a ${on}.`,
      replies: { 200: one(note, shape as Schema) },
      extension,
    }),
    [of('update')]: put(item, {
      summary: `Change a note of a ${on}.`,
      body: body as Schema,
      replies: { 200: IdAnswer },
      extension,
    }),
    [of('delete')]: remove(item, {
      summary: `Delete a note of a ${on}.`,
      replies: { 200: NothingAnswer },
      extension,
    }),
  }
}

export const notes: Contract = Object.assign(
  {},
  ...parents.flatMap((parent) => noteKinds.map((note) => operationsOn(note, parent))),
)
