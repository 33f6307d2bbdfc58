import { named, Type } from '@icosa/contract'
import { api, tagMap } from '../groups/contract.ts'

const Tagged = (title: string) => named(title, { Arn: Type.String(), Tags: tagMap })
const keys = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 50 })

export const tags = {
  GetTags: api.get('/resources/{Arn}/tags', {
    summary: 'Read the tags of a group.',
    replies: { 200: Tagged('GetTagsOutput') },
  }),
  Tag: api.put('/resources/{Arn}/tags', {
    summary: 'Add tags to a group.',
    body: named('TagInput', { Tags: tagMap }),
    replies: { 200: Tagged('TagOutput') },
  }),
  Untag: api.patch('/resources/{Arn}/tags', {
    summary: 'Remove tags from a group.',
    body: named('UntagInput', { Keys: keys }),
    replies: { 200: named('UntagOutput', { Arn: Type.String(), Keys: Type.Array(Type.String()) }) },
  }),
}
