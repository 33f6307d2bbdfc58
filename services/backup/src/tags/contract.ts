import { extensions, named, Type } from '@icosa/contract'
import { api, Nothing, next, opt, paged, Tags } from '../shapes/contract.ts'

export const tags = extensions({
  ListTags: api.get('/tags/{resourceArn}/', {
    summary: 'List the tags of a vault, a recovery point, a plan or another resource of this service.',
    query: Type.Object(paged),
    replies: { 200: named('ListTagsOutput', { Tags: opt(Tags), ...next }) },
  }),
  TagResource: api.post('/tags/{resourceArn}', {
    summary: 'Add tags, or change their values.',
    body: named('TagResourceInput', { Tags }),
    replies: { 200: Nothing },
  }),
  UntagResource: api.post('/untag/{resourceArn}', {
    summary: 'Remove tags.',
    body: named('UntagResourceInput', {
      TagKeyList: Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { minItems: 1, maxItems: 50 }),
    }),
    replies: { 200: Nothing },
  }),
})
