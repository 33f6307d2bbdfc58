import { named, type Static, Type } from '@icosa/contract'
import { api, groupString } from '../groups/contract.ts'

const arns = Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 10 })

const Outcome = (title: string) =>
  named(title, {
    Succeeded: Type.Array(Type.String()),
    Failed: Type.Array(
      named('FailedResource', { ResourceArn: Type.String(), ErrorMessage: Type.String(), ErrorCode: Type.String() }),
    ),
    Pending: Type.Array(named('PendingResource', { ResourceArn: Type.String() })),
  })
export type Outcome = Static<ReturnType<typeof Outcome>>

export const members = {
  GroupResources: api.post('/group-resources', {
    summary: 'Add resources to a static group.',
    body: named('GroupResourcesInput', { Group: groupString, ResourceArns: arns }),
    replies: { 200: Outcome('GroupResourcesOutput') },
  }),
  UngroupResources: api.post('/ungroup-resources', {
    summary: 'Remove resources from a static group.',
    body: named('UngroupResourcesInput', { Group: groupString, ResourceArns: arns }),
    replies: { 200: Outcome('UngroupResourcesOutput') },
  }),
}
