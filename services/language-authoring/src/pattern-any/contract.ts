import { extensions, named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, Name, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const entity = `${at}/patternanyentities/{patternAnyId}` as const
const item = Type.String({ minLength: 1, maxLength: 500 })
const Item = named('ExplicitListItem', { id: Type.Integer(), explicitListItem: Type.String() })
const NewItem = named('ExplicitListItemCreateObject', { explicitListItem: item })
const items = Type.Array(item, { maxItems: 1_000 })

export const PatternAnyEntityExtractor = named('PatternAnyEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  explicitList: Type.Array(Item),
})

export const patternAny = extensions({
  list: api.get(`${at}/patternanyentities`, {
    summary: 'List the pattern.any entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(PatternAnyEntityExtractor) },
  }),
  create: api.post(`${at}/patternanyentities`, {
    summary: 'Create a pattern.any entity: a placeholder for any text in a pattern.',
    body: named('PatternAnyModelCreateObject', { name: Name, explicitList: Type.Optional(items) }),
    replies: { 201: Uuid },
  }),
  get: api.get(entity, {
    summary: 'Read a pattern.any entity.',
    replies: { 200: PatternAnyEntityExtractor },
  }),
  update: api.put(entity, {
    summary: 'Change the name or the explicit list of a pattern.any entity.',
    body: named('PatternAnyModelUpdateObject', { name: Type.Optional(Name), explicitList: Type.Optional(items) }),
    replies: { 200: OperationStatus },
  }),
  delete: api.delete(entity, {
    summary: 'Delete a pattern.any entity.',
    replies: { 200: OperationStatus },
  }),
  getExplicitList: api.get(`${entity}/explicitlist`, {
    summary: 'Read the explicit list of a pattern.any entity: texts that it matches as a whole.',
    replies: { 200: Type.Array(Item) },
  }),
  addExplicitListItem: api.post(`${entity}/explicitlist`, {
    summary: 'Add a text to the explicit list of a pattern.any entity.',
    body: NewItem,
    replies: { 201: Type.Integer() },
  }),
  getExplicitListItem: api.get(`${entity}/explicitlist/{itemId}`, {
    summary: 'Read a text of an explicit list.',
    replies: { 200: Item },
  }),
  updateExplicitListItem: api.put(`${entity}/explicitlist/{itemId}`, {
    summary: 'Change a text of an explicit list.',
    body: NewItem,
    replies: { 200: OperationStatus },
  }),
  deleteExplicitListItem: api.delete(`${entity}/explicitlist/{itemId}`, {
    summary: 'Delete a text of an explicit list.',
    replies: { 200: OperationStatus },
  }),
})
