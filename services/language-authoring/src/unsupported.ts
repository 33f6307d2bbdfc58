import type { Gaps } from '@icosa/module'

export const unsupported = {
  prebuiltDomains: {
    name: 'adding prebuilt domains, and their intents and entities',
    answer: 501,
    instead: "The original's domains are not ours to ship. Import an app that has them: they stay as they were.",
  },
  accounts: {
    name: '`azureaccounts`',
    answer: 501,
    instead: 'There are no accounts of another cloud to assign. Keys of this platform ask for predictions.',
  },
  assistants: {
    name: '`apps/assistants`',
    answer: 501,
    instead: 'The personal assistants that it lists are gone.',
  },
  packages: {
    name: '`package/.../gzip`',
    answer: 501,
    instead: 'There is no container that would run one. Export the version, and import it where it is to run.',
  },
  luExport: {
    name: '`format=lu` of an export',
    answer: 'differs',
    instead:
      'What a .lu file cannot say (hierarchical entities, explicit lists, required features, crossing labels) is refused by name instead of lost. JSON says all.',
  },
  names: {
    name: 'adding `personName`, `geographyV2`, `geography`, `keyPhrase` and `encyclopedia`',
    answer: 501,
    instead:
      'They rest on lists of names and places that are not ours to ship. Use a list entity with your own, or label some: they are learnt. In a file that is imported they are kept, and find nothing.',
  },
  lookAround: {
    name: 'looking around and references back in regex entities',
    answer: 'differs',
    instead:
      'Such an expression can take for ever, and is refused. In a file that is imported it is kept, and finds nothing.',
  },
  sentiment: {
    name: '`sentimentAnalysis`',
    answer: 'no effect',
    instead: 'It is kept and shown. Predictions have no `sentiment`.',
  },
  speech: {
    name: '`speech` and `spellChecker`',
    answer: 'no effect',
    instead: 'They are kept and shown. Predictions have no `alteredQuery`.',
  },
  collaborators: {
    name: 'permissions of collaborators',
    answer: 'no effect',
    instead: 'Their addresses are kept. Who may do what is said by the permissions of keys.',
  },
} as const satisfies Gaps
