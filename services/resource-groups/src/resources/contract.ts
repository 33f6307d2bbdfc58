import { named, oneOf, type Static, Type } from '@icosa/contract'
import { api, maxResults, nextToken, ResourceQuery, resourceType, whichGroup } from '../groups/contract.ts'
import { queryErrorCodes } from '../names.ts'

const ResourceFilter = named('ResourceFilter', {
  Name: oneOf('resource-type'),
  Values: Type.Array(resourceType, { minItems: 1, maxItems: 5 }),
})
export type ResourceFilter = Static<typeof ResourceFilter>

const ResourceIdentifier = named('ResourceIdentifier', { ResourceArn: Type.String(), ResourceType: Type.String() })

const QueryError = named('QueryError', { ErrorCode: oneOf(...queryErrorCodes), Message: Type.String() })
export type QueryError = Static<typeof QueryError>

const page = { MaxResults: Type.Optional(maxResults), NextToken: Type.Optional(nextToken) }

const results = {
  ResourceIdentifiers: Type.Array(ResourceIdentifier),
  NextToken: Type.Optional(Type.String()),
  QueryErrors: Type.Array(QueryError),
}

export const resources = {
  ListGroupResources: api.post('/list-group-resources', {
    summary: 'List the members of a group.',
    body: named('ListGroupResourcesInput', {
      ...whichGroup,
      Filters: Type.Optional(Type.Array(ResourceFilter, { maxItems: 5 })),
      ...page,
    }),
    replies: {
      200: named('ListGroupResourcesOutput', {
        Resources: Type.Array(
          named('ListGroupResourcesItem', {
            Identifier: ResourceIdentifier,
            Status: Type.Optional(named('ResourceStatus', { Name: oneOf('PENDING') })),
          }),
        ),
        ...results,
      }),
    },
    reads: true,
  }),
  SearchResources: api.post('/resources/search', {
    summary: 'List the resources that match a query.',
    body: named('SearchResourcesInput', { ResourceQuery, ...page }),
    replies: { 200: named('SearchResourcesOutput', results) },
    reads: true,
  }),
}
