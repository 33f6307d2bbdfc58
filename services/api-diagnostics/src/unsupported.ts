import type { Gaps } from '@icosa/module'

export const unsupported = {
  otherResources: {
    name: '`loggers`, and diagnostics of a single API (`apis/{apiId}/diagnostics`)',
    answer: 404,
    instead: 'There are diagnostics of whole services.',
  },
  metrics: {
    name: '`metrics`',
    answer: 'no effect',
    instead: 'It is kept and shown. `/metrics` has those of all operations.',
  },
  queryParams: {
    name: '`dataMasking.queryParams`',
    answer: 'no effect',
    instead: 'It is kept and shown. Queries are never written.',
  },
  verbose: {
    name: '`verbosity` `verbose`',
    answer: 'no effect',
    instead: 'It is like `information`: there are no finer traces.',
  },
  correlationHeaders: {
    name: '`enableHttpCorrelationHeaders` of 2019-01-01',
    answer: 'no effect',
    instead: 'It is dropped. Use `httpCorrelationProtocol`, `None` for false.',
  },
  unknownMembers: {
    name: 'members of later versions that are not in this table, but for `operationNameFormat` and `dataMasking.headers`',
    answer: 'no effect',
    instead: 'They are dropped.',
  },
  loggerId: {
    name: '`loggerId`',
    answer: 'differs',
    instead: "It is any text. Every diagnostic writes to the node's log, and the line names it.",
  },
  serviceName: {
    name: '`serviceName`',
    answer: 'differs',
    instead: 'It is a service of this platform. Diagnostics of any other name are stored, and see no requests.',
  },
  backend: {
    name: '`frontend` and `backend`',
    answer: 'differs',
    instead: 'A service is its own backend: both choose from the same messages.',
  },
  correlation: {
    name: '`httpCorrelationProtocol`',
    answer: 'differs',
    instead: 'It says from which header a trace is taken. No header is added to anything.',
  },
  headers: {
    name: '`headers` that carry credentials',
    answer: 'differs',
    instead: 'They are written as `***`.',
  },
  bytes: {
    name: '`body.bytes` up to 8,192',
    answer: 'differs',
    instead: 'Forms are not written at all, and all lines about one request total at most 16 KB.',
  },
  manyDiagnostics: {
    name: 'more than ten diagnostics of a service',
    answer: 'differs',
    instead: 'The first ten by name are active.',
  },
} as const satisfies Gaps
