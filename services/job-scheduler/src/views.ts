import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'

export const views: Views = {
  group: 'Compute',
  scope: demoScope,
  resources: {
    JobCollections_ListBySubscription: {
      title: 'Job collections',
      type: 'Vendor.Scheduler/jobCollections',
      about: 'A collection contains jobs that call URLs or send messages on a schedule.',
      columns: ['name', 'properties.state', 'properties.sku.name', 'location', 'tags'],
      example: { location: 'global' },
    },
    Jobs_List: {
      title: 'Jobs',
      about: 'A job calls a URL or sends a message, once or on a schedule.',
      key: { jobName: 'id' },
      columns: [
        'name',
        'properties.state',
        'properties.action.type',
        'properties.recurrence.frequency',
        'properties.status.nextExecutionTime',
      ],
      example: {
        properties: {
          recurrence: { frequency: 'Minute' },
          action: { type: 'Http', request: { method: 'GET', uri: 'https://example.com/' } },
        },
      },
      panels: [
        {
          title: 'Calendar',
          operation: 'Jobs_ListJobHistory',
          show: {
            as: 'calendar',
            rows: 'value',
            time: 'properties.startTime',
            label: 'properties.message',
            state: 'properties.status',
          },
        },
      ],
    },
    Jobs_ListJobHistory: {
      title: 'History',
      about: 'Every run of this job, with its outcome.',
      columns: ['properties.actionName', 'properties.status', 'properties.message', 'properties.startTime'],
      state: 'properties.status',
    },
  },
  others: ['JobCollections_ListByResourceGroup'],
}
