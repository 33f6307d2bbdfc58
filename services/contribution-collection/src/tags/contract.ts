import { named, Type } from '@icosa/contract'
import { get, post } from '../dialect/contract.ts'
import { pageHeaders, pageQuery } from '../paging/contract.ts'
import { reference, Tag, TagSet } from '../shapes/contract.ts'

const { Optional } = Type
const filter = Optional(Type.String({ maxLength: 200 }))
const name = Type.String({ minLength: 1, maxLength: 200 })
const urlWords = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 200 })

export const tags = {
  listTags: get('/tags', {
    summary: 'List tags.',
    query: Type.Object({ ownedBy: filter, tagSet: filter, urlWords: filter, ...pageQuery }),
    replies: { 200: Type.Array(Tag) },
    replyHeaders: pageHeaders,
  }),
  createTag: post('/tags', {
    summary: 'Create a tag.',
    body: named('TagSubmission', {
      name,
      urlWords: Optional(urlWords),
      colour: Optional(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })),
      tagSet: Optional(reference('TagSetReference')),
    }),
    replies: { 200: Tag },
  }),
  getTag: get('/tags/{id}', { summary: 'Read a tag.', replies: { 200: Tag } }),
  listTagSets: get('/tagsets', {
    summary: 'List tag sets.',
    query: Type.Object({ ownedBy: filter, urlWords: filter, ...pageQuery }),
    replies: { 200: Type.Array(TagSet) },
    replyHeaders: pageHeaders,
  }),
  createTagSet: post('/tagsets', {
    extension: true,
    summary: 'Create a tag set.',
    body: named('TagSetSubmission', { name, urlWords }),
    replies: { 200: TagSet },
  }),
  getTagSet: get('/tagsets/{id}', { extension: true, summary: 'Read a tag set.', replies: { 200: TagSet } }),
}
