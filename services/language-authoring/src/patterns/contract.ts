import { extensions, named, Type } from '@icosa/contract'
import { api, at, Name, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const PatternRule = named('PatternRuleInfo', { id: Uuid, pattern: Type.String(), intent: Type.String() })
const text = Type.String({ minLength: 1, maxLength: 500 })
const NewPattern = named('PatternRuleCreateObject', { pattern: text, intent: Name })
const ChangedPattern = named('PatternRuleUpdateObject', {
  id: Type.Optional(Uuid),
  pattern: Type.Optional(text),
  intent: Type.Optional(Name),
})
const many = { maxItems: 500 }

export const patterns = extensions({
  addPattern: api.post(`${at}/patternrule`, {
    summary:
      'Create a pattern: a template of utterances of an intent, with entities and optional and alternative parts.',
    body: NewPattern,
    replies: { 201: PatternRule },
  }),
  listPatterns: api.get(`${at}/patternrules`, {
    summary: 'List the patterns of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(PatternRule) },
  }),
  batchAddPatterns: api.post(`${at}/patternrules`, {
    summary: 'Create several patterns, all of them or none.',
    body: Type.Array(NewPattern, many),
    replies: { 201: Type.Array(PatternRule) },
  }),
  updatePatterns: api.put(`${at}/patternrules`, {
    summary: 'Change several patterns, all of them or none.',
    body: Type.Array(ChangedPattern, many),
    replies: { 200: Type.Array(PatternRule) },
  }),
  deletePatterns: api.delete(`${at}/patternrules`, {
    summary: 'Delete several patterns, all of them or none.',
    body: Type.Array(Uuid, many),
    replies: { 200: OperationStatus },
  }),
  updatePattern: api.put(`${at}/patternrules/{patternId}`, {
    summary: 'Change a pattern.',
    body: ChangedPattern,
    replies: { 200: PatternRule },
  }),
  deletePattern: api.delete(`${at}/patternrules/{patternId}`, {
    summary: 'Delete a pattern.',
    replies: { 200: OperationStatus },
  }),
  listIntentPatterns: api.get(`${at}/intents/{intentId}/patternrules`, {
    summary: 'List the patterns of an intent, oldest first.',
    query: Page,
    replies: { 200: Type.Array(PatternRule) },
  }),
})
