import type { Gaps } from '@icosa/module'

export const unsupported = {
  otherResources: {
    name: '`loggers`, and diagnostics of a single API (`apis/{apiId}/diagnostics`)',
    answer: 501,
    instead: 'Diagnostics apply to whole services.',
  },
  metrics: {
    name: '`metrics`',
    answer: 'no effect',
    instead: 'Stored and returned. `/metrics` covers all operations.',
  },
  queryParams: {
    name: '`dataMasking.queryParams`',
    answer: 'no effect',
    instead: 'Stored and returned. Query strings are never logged.',
  },
  verbose: {
    name: '`verbosity` `verbose`',
    answer: 'no effect',
    instead: 'Same as `information`: there are no finer traces.',
  },
  correlationHeaders: {
    name: '`enableHttpCorrelationHeaders` of 2019-01-01',
    answer: 'no effect',
    instead: 'Dropped. Use `httpCorrelationProtocol`, `None` for false.',
  },
  unknownMembers: {
    name: 'other members of later versions, except `operationNameFormat` and `dataMasking.headers`',
    answer: 'no effect',
    instead: 'Dropped.',
  },
  loggerId: {
    name: '`loggerId`',
    answer: 'differs',
    instead: "Any text. Every diagnostic writes to the node's log, and the line contains it.",
  },
  serviceName: {
    name: '`serviceName`',
    answer: 'differs',
    instead: 'A service of this platform. Diagnostics with other names are stored, but match no requests.',
  },
  backend: {
    name: '`frontend` and `backend`',
    answer: 'differs',
    instead: 'A service is its own backend: both see the same messages.',
  },
  correlation: {
    name: '`httpCorrelationProtocol`',
    answer: 'differs',
    instead: 'Selects the header from which the trace id is read. No header is added.',
  },
  headers: {
    name: '`headers` that contain credentials',
    answer: 'differs',
    instead: 'Masked as `***`.',
  },
  bytes: {
    name: '`body.bytes` up to 8,192',
    answer: 'differs',
    instead: 'Forms are never logged, and all lines about one request total at most 16 KB.',
  },
  manyDiagnostics: {
    name: 'more than ten diagnostics of a service',
    answer: 'differs',
    instead: 'The first ten by name are active.',
  },
} as const satisfies Gaps
