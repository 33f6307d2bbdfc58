import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    searchResources: {
      title: 'All resources',
      about: 'All named resources of all services, with their tags.',
      columns: ['name', 'service', 'type', 'location', 'tags', 'createdAt'],
    },
    listAuditRecords: {
      title: 'What was changed',
      about: 'Changes and refusals in your tenant, by whom and from where, and what operators did with it.',
      state: null,
      columns: ['number', 'at', 'who', 'operation', 'number:status', 'resource', 'from'],
    },
  },
}
