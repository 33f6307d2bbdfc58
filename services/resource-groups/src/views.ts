import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    ListGroups: {
      title: 'Resource groups',
      type: 'AWS::ResourceGroups::Group',
      about: 'A group collects resources of any service, by tag or one by one.',
      items: 'Groups',
      columns: ['Name', 'Description', 'GroupArn'],
      key: { Group: 'GroupArn' },
      get: 'GetGroup',
      create: 'CreateGroup',
      update: 'UpdateGroup',
      delete: 'DeleteGroup',
      example: {
        Name: 'shop',
        ResourceQuery: {
          Type: 'TAG_FILTERS_1_0',
          Query: '{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[{"Key":"app","Values":["shop"]}]}',
        },
      },
      panels: [
        {
          title: 'Resources',
          operation: 'ListGroupResources',
          fields: { Group: 'GroupArn' },
          show: { as: 'table', rows: 'Resources' },
          columns: ['Identifier.ResourceArn', 'Identifier.ResourceType', 'Status.Name'],
        },
      ],
    },
    ListTagSyncTasks: {
      title: 'Tag-sync tasks',
      about: 'A task adds resources to a group as soon as they are tagged.',
      columns: ['GroupName', 'Status', 'TagKey', 'TagValue', 'CreatedAt'],
      key: { TaskArn: 'TaskArn' },
      get: 'GetTagSyncTask',
      create: 'StartTagSyncTask',
      delete: 'CancelTagSyncTask',
    },
  },
}
