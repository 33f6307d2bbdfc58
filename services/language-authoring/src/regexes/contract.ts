import { named, Type } from '@icosa/contract'
import { api, at, EntityRole, info, Name, OperationStatus, Page, Uuid } from '../shapes/contract.ts'

const regex = `${at}/regexentities/{regexEntityId}` as const
const Pattern = Type.String({ minLength: 1, maxLength: 500 })

export const RegexEntityExtractor = named('RegexEntityExtractor', {
  ...info,
  roles: Type.Array(EntityRole),
  regexPattern: Type.String(),
})

export const regexes = {
  list: api.get(`${at}/regexentities`, {
    summary: 'List the regex entities of a version, oldest first.',
    query: Page,
    replies: { 200: Type.Array(RegexEntityExtractor) },
    extension: true,
  }),
  create: api.post(`${at}/regexentities`, {
    summary: 'Create a regex entity.',
    body: named('RegexModelCreateObject', { name: Name, regexPattern: Pattern }),
    replies: { 201: Uuid },
    extension: true,
  }),
  get: api.get(regex, { summary: 'Read a regex entity.', replies: { 200: RegexEntityExtractor }, extension: true }),
  update: api.put(regex, {
    summary: 'Change the name or the regular expression of a regex entity.',
    body: named('RegexModelUpdateObject', { name: Type.Optional(Name), regexPattern: Type.Optional(Pattern) }),
    replies: { 200: OperationStatus },
    extension: true,
  }),
  delete: api.delete(regex, { summary: 'Delete a regex entity.', replies: { 200: OperationStatus }, extension: true }),
}
