import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Compute',
  scope: { project: 'demo', location: 'us-central1' },
  resources: {
    listFunctions: {
      title: 'Functions',
      type: 'cloudfunctions.googleapis.com/Function',
      about: 'A function runs your code whenever its URL is requested.',
      columns: ['name', 'state', 'buildConfig.runtime', 'link:serviceConfig.uri', 'labels', 'updateTime'],
      actions: ['generateDownloadUrl'],
      labels: { generateDownloadUrl: 'Get source' },
      create: 'deployFiles',
      invitation: 'Deploy a function and call it',
      example: {
        functionId: 'hello',
        runtime: 'nodejs24',
        entryPoint: 'hello',
        files: [
          {
            path: 'index.js',
            content:
              "exports.hello = (request, response) => response.send('Hello ' + (request.query.name ?? 'world'))\n",
          },
        ],
      },
      panels: [
        {
          title: 'Call',
          operation: 'callFunction',
          body: { method: 'GET', path: '/' },
          show: { as: 'response', status: 'status', headers: 'headers', body: 'body', ms: 'durationMs' },
        },
        {
          title: 'Logs',
          operation: 'listLogs',
          show: { as: 'lines', rows: 'lines', text: 'text', time: 'time', stream: 'stream' },
        },
      ],
    },
    listLogs: {
      title: 'Logs',
      about: 'Log lines written by this function.',
      columns: ['text', 'stream', 'invocation', 'time'],
    },
    listFailedEvents: {
      title: 'Failed events',
      about: 'Events that this function failed to process.',
      columns: ['type', 'reason', 'attempts', 'failTime'],
    },
    listRevisions: {
      title: 'Revisions',
      about: 'The latest versions of this function, and the one that serves its traffic.',
      columns: ['number', 'isServing', 'runtime', 'entryPoint', 'createTime'],
    },
    listOperations: {
      title: 'Deployments',
      about: 'Deployments and deletions, running and completed.',
      columns: ['name', 'done', 'error.message'],
      get: 'getOperation',
    },
  },
  others: ['listLocations', 'listRuntimes'],
}
