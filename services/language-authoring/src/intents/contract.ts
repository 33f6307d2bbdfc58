import { named, Type, withDefault } from '@icosa/contract'
import { api, at, custom, info, NewName, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const intent = `${at}/intents/{intentId}` as const

export const IntentClassifier = named('IntentClassifier', { ...info, ...custom })

export const intents = {
  add: api.post(`${at}/intents`, { summary: 'Create an intent.', body: NewName, replies: { 201: Uuid } }),
  list: api.get(`${at}/intents`, {
    summary: 'List the intents of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(IntentClassifier) },
  }),
  get: api.get(intent, { summary: 'Read an intent.', replies: { 200: IntentClassifier } }),
  update: api.put(intent, {
    summary: 'Rename an intent.',
    body: NewName,
    replies: { 200: OperationStatus },
  }),
  delete: api.delete(intent, {
    summary: 'Delete an intent. Its utterances move to None, unless they are deleted, too.',
    query: Type.Object({ deleteUtterances: withDefault(Type.Boolean(), false) }),
    replies: { 200: OperationStatus },
  }),
}
