import type { Gaps } from '@icosa/module'

export const unsupported = {
  prebuiltDomains: {
    name: 'adding prebuilt domains, and their intents and entities',
    answer: 501,
    instead: "The original's domains may not be redistributed. Import an app that has them: they are kept.",
  },
  accounts: {
    name: '`azureaccounts`',
    answer: 501,
    instead: 'There are no accounts of another cloud to assign. Use keys of this platform for predictions.',
  },
  assistants: {
    name: '`apps/assistants`',
    answer: 501,
    instead: 'The personal assistants that it lists no longer exist.',
  },
  packages: {
    name: '`package/.../gzip`',
    answer: 501,
    instead: 'There is no container to run one. Export the version, and import it on the other platform.',
  },
  luExport: {
    name: '`format=lu` of an export',
    answer: 'differs',
    instead:
      'Features that .lu lacks (hierarchical entities, explicit lists, required features, overlapping labels) are refused instead of lost. Export JSON.',
  },
  names: {
    name: 'adding `personName`, `geographyV2`, `geography`, `keyPhrase` and `encyclopedia`',
    answer: 501,
    instead:
      'They need lists of names and places that may not be redistributed. Use a list entity of your own, or a machine-learned one. Imported ones are kept, and find nothing.',
  },
  lookAround: {
    name: 'lookaround and backreferences in regex entities',
    answer: 'differs',
    instead:
      'Such an expression may take exponential time, and is refused. An imported one is kept, but matches nothing.',
  },
  sentiment: {
    name: '`sentimentAnalysis`',
    answer: 'no effect',
    instead: 'It is stored and shown. Predictions have no `sentiment`.',
  },
  speech: {
    name: '`speech` and `spellChecker`',
    answer: 'no effect',
    instead: 'They are stored and shown. Predictions have no `alteredQuery`.',
  },
  collaborators: {
    name: 'permissions of collaborators',
    answer: 'no effect',
    instead: 'Their addresses are stored. Access is controlled by the permissions of keys.',
  },
} as const satisfies Gaps
