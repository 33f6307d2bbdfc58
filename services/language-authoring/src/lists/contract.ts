import { ignoring, named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, Name, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const list = `${at}/closedlists/{clEntityId}` as const
const word = Type.String({ maxLength: 500 })
const words = Type.Array(word, { maxItems: 20_000 })

/** An id from a previous response is ignored. */
const NewSubList = ignoring(named('WordListObject', { canonicalForm: word, list: Type.Optional(words) }), ['id'])
const NewSubLists = Type.Array(NewSubList, { maxItems: 20_000 })
const SubList = named('SubClosedListResponse', {
  id: Type.Integer(),
  canonicalForm: Type.String(),
  list: Type.Array(Type.String()),
})

export const ClosedListEntityExtractor = named('ClosedListEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  subLists: Type.Array(SubList),
})

const maxBytes = 8 * 1024 * 1024

export const lists = {
  list: api.get(`${at}/closedlists`, {
    summary: 'List the list entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(ClosedListEntityExtractor) },
  }),
  add: api.post(`${at}/closedlists`, {
    summary: 'Create a list entity, which matches words and their synonyms.',
    body: named('ClosedListModelCreateObject', { name: Name, subLists: Type.Optional(NewSubLists) }),
    maxBytes,
    replies: { 201: Uuid },
  }),
  get: api.get(list, { summary: 'Read a list entity.', replies: { 200: ClosedListEntityExtractor }, extension: true }),
  update: api.put(list, {
    summary: 'Replace the name and the sublists of a list entity.',
    body: named('ClosedListModelUpdateObject', { name: Name, subLists: NewSubLists }),
    maxBytes,
    replies: { 200: OperationStatus },
    extension: true,
  }),
  patch: api.patch(list, {
    summary: 'Add sublists to a list entity.',
    body: named('ClosedListModelPatchObject', { subLists: NewSubLists }),
    maxBytes,
    replies: { 200: OperationStatus },
    extension: true,
  }),
  delete: api.delete(list, { summary: 'Delete a list entity.', replies: { 200: OperationStatus }, extension: true }),
  addSubList: api.post(`${list}/sublists`, {
    summary: 'Add a sublist to a list entity.',
    body: NewSubList,
    replies: { 201: Type.Integer() },
    extension: true,
  }),
  updateSubList: api.put(`${list}/sublists/{subListId}`, {
    summary: 'Change a sublist of a list entity.',
    body: named('WordListBaseUpdateObject', { canonicalForm: Type.Optional(word), list: Type.Optional(words) }),
    replies: { 200: OperationStatus },
    extension: true,
  }),
  deleteSubList: api.delete(`${list}/sublists/{subListId}`, {
    summary: 'Delete a sublist of a list entity.',
    replies: { 200: OperationStatus },
    extension: true,
  }),
}
