import { extensions, named, oneOf, Type } from '@icosa/contract'
import { api, groupString, maxResults, nextToken } from '../groups/contract.ts'

export const groupingStatuses = extensions({
  ListGroupingStatuses: api.post('/list-grouping-statuses', {
    summary: 'List the last action on each resource of an application group, with its status.',
    body: named('ListGroupingStatusesInput', {
      Group: groupString,
      MaxResults: Type.Optional(maxResults),
      Filters: Type.Optional(
        Type.Array(
          named('ListGroupingStatusesFilter', {
            Name: oneOf('status', 'resource-arn'),
            Values: Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), { minItems: 1, maxItems: 10 }),
          }),
          { maxItems: 10 },
        ),
      ),
      NextToken: Type.Optional(nextToken),
    }),
    replies: {
      200: named('ListGroupingStatusesOutput', {
        Group: Type.String(),
        GroupingStatuses: Type.Array(
          named('GroupingStatusesItem', {
            ResourceArn: Type.String(),
            Action: oneOf('GROUP', 'UNGROUP'),
            Status: oneOf('SUCCESS', 'FAILED', 'IN_PROGRESS', 'SKIPPED'),
            ErrorMessage: Type.Optional(Type.String()),
            ErrorCode: Type.Optional(Type.String()),
            UpdatedAt: Type.Number({ description: 'Seconds since 1970.' }),
          }),
        ),
        NextToken: Type.Optional(Type.String()),
      }),
    },
    reads: true,
  }),
})
