import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    searchResources: {
      title: 'All resources',
      about: 'All named resources of all services, with their tags.',
      columns: ['name', 'service', 'type', 'location', 'tags', 'createdAt'],
    },
  },
}
