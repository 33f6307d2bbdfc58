import type { Views } from '@icosa/contract'
import { demoScope } from '@icosa/dialects/arm/names'

export const views: Views = {
  group: 'Platform',
  scope: { ...demoScope, serviceName: 'braille-translation' },
  resources: {
    Diagnostics_List: {
      title: 'API diagnostics',
      about: 'A diagnostic logs a sample of the requests that a service receives.',
      columns: [
        'name',
        'properties.loggerId',
        'properties.sampling.percentage',
        'properties.verbosity',
        'properties.alwaysLog',
      ],
      example: {
        properties: { loggerId: 'node', alwaysLog: 'allErrors', sampling: { samplingType: 'fixed', percentage: 25 } },
      },
    },
  },
}
