import { extensions, named, oneOf, Type } from '@icosa/contract'
import { api, groupName, groupString, maxResults, nextToken, ResourceQuery } from '../groups/contract.ts'

const taskArn = Type.String({ minLength: 1, maxLength: 1600 })
const criteria = {
  TagKey: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  TagValue: Type.Optional(Type.String({ maxLength: 256 })),
  ResourceQuery: Type.Optional(ResourceQuery),
}
const roleArn = Type.String({ minLength: 1, maxLength: 2048, description: 'Stored and shown; has no effect.' })
const started = {
  GroupArn: Type.String(),
  GroupName: Type.String(),
  TaskArn: Type.String(),
  ...criteria,
  RoleArn: roleArn,
}
const task = {
  ...started,
  Status: oneOf('ACTIVE', 'ERROR'),
  ErrorMessage: Type.Optional(Type.String()),
  CreatedAt: Type.Number({ description: 'Seconds since 1970.' }),
}

export const tagSync = extensions({
  StartTagSyncTask: api.post('/start-tag-sync-task', {
    summary: 'Synchronize the members of an application group with a tag or a query.',
    body: named('StartTagSyncTaskInput', { Group: groupString, ...criteria, RoleArn: roleArn }),
    replies: { 200: named('StartTagSyncTaskOutput', started) },
  }),
  GetTagSyncTask: api.post('/get-tag-sync-task', {
    summary: 'Read a tag-sync task.',
    body: named('GetTagSyncTaskInput', { TaskArn: taskArn }),
    replies: { 200: named('GetTagSyncTaskOutput', task) },
    reads: true,
  }),
  ListTagSyncTasks: api.post('/list-tag-sync-tasks', {
    summary: 'List tag-sync tasks, optionally of certain groups only.',
    body: named('ListTagSyncTasksInput', {
      Filters: Type.Optional(
        Type.Array(
          named('ListTagSyncTasksFilter', {
            GroupArn: Type.Optional(groupString),
            GroupName: Type.Optional(groupName),
          }),
          { maxItems: 50 },
        ),
      ),
      MaxResults: Type.Optional(maxResults),
      NextToken: Type.Optional(nextToken),
    }),
    replies: {
      200: named('ListTagSyncTasksOutput', {
        TagSyncTasks: Type.Array(named('TagSyncTaskItem', task)),
        NextToken: Type.Optional(Type.String()),
      }),
    },
    reads: true,
  }),
  CancelTagSyncTask: api.post('/cancel-tag-sync-task', {
    summary: 'Cancel a tag-sync task. Members stay in the group.',
    body: named('CancelTagSyncTaskInput', { TaskArn: taskArn }),
    replies: { 200: named('CancelTagSyncTaskOutput', {}) },
  }),
})
