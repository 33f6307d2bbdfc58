import { extensions, named, Type } from '@icosa/contract'
import { api, Nothing, Tag, Tags } from '../shapes/contract.ts'

const resourceArn = Type.String({ minLength: 1, maxLength: 2048 })

export const tags = extensions({
  ListTagsForResource: api.get('/tags', {
    summary: 'List the tags of an input or a model.',
    query: Type.Object({ resourceArn }),
    replies: { 200: named('ListTagsForResourceResponse', { tags: Type.Array(Tag) }) },
  }),
  TagResource: api.post('/tags', {
    summary: 'Add tags, or change their values.',
    query: Type.Object({ resourceArn }),
    body: named('TagResourceRequest', { tags: Tags }),
    replies: { 200: Nothing },
  }),
  UntagResource: api.delete('/tags', {
    summary: 'Remove tags.',
    query: Type.Object({
      resourceArn,
      tagKeys: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }),
    }),
    replies: { 200: Nothing },
  }),
})
