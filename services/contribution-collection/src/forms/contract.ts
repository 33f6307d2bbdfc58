import { named, Type } from '@icosa/contract'
import { get, post, remove } from '../dialect/contract.ts'
import { pageHeaders, pageQuery } from '../paging/contract.ts'
import { number, Tag, TagReference, text } from '../shapes/contract.ts'

const { Optional } = Type

export const fieldTypes = [
  'text',
  'textarea',
  'email',
  'url',
  'telephone',
  'number',
  'date',
  'checkbox',
  'select',
  'radio',
] as const

export const FormField = named('FormField', {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  label: Optional(text(200)),
  description: Optional(text(1_000)),
  type: Optional(Type.Enum(fieldTypes)),
  options: Optional(Type.Array(text(200), { maxItems: 200 })),
  required: Optional(Type.Boolean()),
  public: Optional(Type.Boolean()),
})

const formTexts = {
  name: Optional(text(200)),
  heading: Optional(text(200)),
  callToAction: Optional(text(500)),
  cssUrl: Optional(Type.String({ pattern: '^https?://', maxLength: 1_000 })),
  noCss: Optional(Type.Boolean()),
  fields: Optional(Type.Array(FormField, { maxItems: 100 })),
}
const Form = named('Form', {
  id: Type.String(),
  ...formTexts,
  ownedBy: Type.String(),
  tags: Type.Array(Tag),
})

const responses = Type.Record(text(10_000))
const FormResponse = named('FormResponse', {
  id: Type.String(),
  form: Type.String(),
  contribution: Optional(Type.String()),
  user: Type.String(),
  date: Type.String(),
  responses,
})

export const forms = {
  listForms: get('/forms', {
    summary: 'List the forms of a user.',
    query: Type.Object({ ownedBy: text(200), ...pageQuery }),
    replies: { 200: Type.Array(Form) },
    replyHeaders: pageHeaders,
  }),
  createForm: post('/forms', {
    summary: 'Create a form.',
    body: named('FormSubmission', { ...formTexts, tags: Optional(Type.Array(TagReference, { maxItems: 50 })) }),
    replies: { 200: Form },
  }),
  getForm: get('/forms/{id}', { summary: 'Read a form.', replies: { 200: Form } }),
  deleteForm: remove('/forms/{id}', {
    summary: 'Delete a form and its responses.',
    replies: { 200: null },
  }),
  createFormResponse: post('/form-responses', {
    summary: 'Submit a form response.',
    body: named('FormResponseSubmission', { form: number, contribution: Optional(number), responses }),
    replies: { 200: FormResponse },
  }),
  listFormResponses: get('/form-responses', {
    summary: 'List form responses, newest first.',
    query: Type.Object({
      user: Optional(text(200)),
      form: Optional(text(200)),
      contribution: Optional(text(200)),
      ...pageQuery,
    }),
    replies: { 200: Type.Array(FormResponse) },
    replyHeaders: pageHeaders,
  }),
  getFormResponse: get('/form-responses/{id}', {
    summary: 'Read a form response.',
    replies: { 200: FormResponse },
  }),
}
