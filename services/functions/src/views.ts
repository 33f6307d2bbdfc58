import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Compute',
  scope: { project: 'demo', location: 'us-central1' },
  resources: {
    listFunctions: {
      title: 'Functions',
      type: 'cloudfunctions.googleapis.com/Function',
      about: 'A function is code that answers at an address of its own.',
      columns: ['name', 'state', 'buildConfig.runtime', 'link:serviceConfig.uri', 'labels', 'updateTime'],
      actions: ['generateDownloadUrl'],
      example: {
        buildConfig: {
          runtime: 'nodejs24',
          entryPoint: 'hello',
          source: { storageSource: { bucket: '', object: '' } },
        },
      },
    },
    listLogs: {
      title: 'Logs',
      about: 'Lines that the function wrote.',
      columns: ['text', 'stream', 'invocation', 'time'],
    },
    listFailedEvents: {
      title: 'Failed events',
      about: 'Events that the function could not process.',
      columns: ['type', 'reason', 'attempts', 'failTime'],
    },
    listOperations: {
      title: 'Deployments',
      about: 'Deployments and deletions that run or ran.',
      columns: ['name', 'done', 'error.message'],
      get: 'getOperation',
    },
  },
  others: ['listLocations', 'listRuntimes'],
}
