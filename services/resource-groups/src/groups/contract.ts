import { named, oneOf, type Static, Type, withDefault } from '@icosa/contract'
import { signed } from '@icosa/dialects/signed/contract'
import { exceptions } from '../exceptions.ts'
import { stackQuery, tagQuery } from '../names.ts'

export const api = signed({ version: '2017-11-27', message: 'Message', token: 'NextToken', exceptions })

export const groupName = Type.String({ pattern: '^[a-zA-Z0-9_.-]+$', minLength: 1, maxLength: 300 })
const description = Type.String({ pattern: '^[\\sa-zA-Z0-9_.-]*$', maxLength: 1024 })

/** A group by its name or its ARN. */
export const groupString = Type.String({
  pattern: '^(arn:[\\w-]+:resource-groups:[\\w-]*:[\\w.@-]*:group/)?[a-zA-Z0-9_.-]{1,300}$',
  minLength: 1,
  maxLength: 1600,
})

/** A request has exactly one of the two. */
export const whichGroup = { GroupName: Type.Optional(groupName), Group: Type.Optional(groupString) }

/** A resource type as a service registered it, in any letter case. */
export const resourceType = Type.String({ pattern: '^[a-zA-Z][\\w.:/-]*$', minLength: 1, maxLength: 128 })

export const nextToken = Type.String({ pattern: '^[\\w+/-]*={0,2}$', maxLength: 8192 })
export const maxResults = Type.Integer({ minimum: 1, maximum: 50 })

/** `tags/rules.ts` has the limits that a schema cannot express. */
export const tagMap = Type.Record(Type.String({ maxLength: 256 }))

export const ResourceQuery = named('ResourceQuery', {
  Type: oneOf(tagQuery, stackQuery),
  Query: Type.String({ maxLength: 4096, description: 'JSON in a text.' }),
})
export type ResourceQuery = Static<typeof ResourceQuery>

export const Group = named('Group', {
  GroupArn: Type.String(),
  Name: groupName,
  Description: Type.Optional(description),
})
export type Group = Static<typeof Group>

const parameter = named('GroupConfigurationParameter', {
  Name: Type.String({ pattern: '^[a-z-]+$', minLength: 1, maxLength: 80 }),
  Values: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-zA-Z0-9:/._-]+$', minLength: 1, maxLength: 256 }), { maxItems: 50 }),
  ),
})

const configurationItem = named('GroupConfigurationItem', {
  Type: Type.String({ pattern: '^[a-zA-Z0-9:-]+$', minLength: 1, maxLength: 40 }),
  Parameters: Type.Optional(Type.Array(parameter, { maxItems: 20 })),
})

export const configuration = Type.Array(configurationItem, { maxItems: 2 })
export type Configuration = Static<typeof configuration>

export const GroupConfiguration = named('GroupConfiguration', {
  Configuration: Type.Optional(configuration),
  ProposedConfiguration: Type.Optional(configuration),
  Status: Type.Optional(oneOf('UPDATING', 'UPDATE_COMPLETE', 'UPDATE_FAILED')),
  FailureReason: Type.Optional(Type.String()),
})
export type GroupConfiguration = Static<typeof GroupConfiguration>

const GroupFilter = named('GroupFilter', {
  Name: oneOf('resource-type', 'configuration-type'),
  Values: Type.Array(resourceType, { minItems: 1, maxItems: 5 }),
})
export type GroupFilter = Static<typeof GroupFilter>

const groupReply = (title: string) => ({ 200: named(title, { Group }) })

export const groups = {
  CreateGroup: api.post('/groups', {
    summary: 'Create a group with a query, with a configuration, or empty.',
    body: named('CreateGroupInput', {
      Name: groupName,
      Description: Type.Optional(description),
      ResourceQuery: Type.Optional(ResourceQuery),
      Tags: Type.Optional(tagMap),
      Configuration: Type.Optional(configuration),
    }),
    replies: {
      200: named('CreateGroupOutput', {
        Group,
        ResourceQuery: Type.Optional(ResourceQuery),
        Tags: Type.Optional(tagMap),
        GroupConfiguration: Type.Optional(GroupConfiguration),
      }),
    },
  }),
  DeleteGroup: api.post('/delete-group', {
    summary: 'Delete a group. Its members are kept.',
    body: named('DeleteGroupInput', whichGroup),
    replies: groupReply('DeleteGroupOutput'),
  }),
  GetGroup: api.post('/get-group', {
    summary: 'Read a group.',
    body: named('GetGroupInput', whichGroup),
    replies: groupReply('GetGroupOutput'),
    reads: true,
  }),
  ListGroups: api.post('/groups-list', {
    summary: 'List groups, optionally of certain types only.',
    query: Type.Object({
      maxResults: withDefault(maxResults, 50),
      nextToken: Type.Optional(nextToken),
    }),
    body: named('ListGroupsInput', { Filters: Type.Optional(Type.Array(GroupFilter, { maxItems: 10 })) }),
    replies: {
      200: named('ListGroupsOutput', {
        GroupIdentifiers: Type.Array(
          named('GroupIdentifier', {
            GroupName: Type.Optional(Type.String()),
            GroupArn: Type.Optional(Type.String()),
          }),
        ),
        Groups: Type.Array(Group),
        NextToken: Type.Optional(Type.String()),
      }),
    },
    reads: true,
  }),
  UpdateGroup: api.post('/update-group', {
    summary: 'Change the description of a group.',
    body: named('UpdateGroupInput', { ...whichGroup, Description: Type.Optional(description) }),
    replies: groupReply('UpdateGroupOutput'),
  }),
}
