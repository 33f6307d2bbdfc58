import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Platform',
  resources: {
    searchResources: {
      title: 'All resources',
      about: 'Resources of all services that have a name, with their tags.',
      columns: ['name', 'service', 'type', 'location', 'tags', 'createdAt'],
    },
  },
}
