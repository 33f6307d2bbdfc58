import type { Gaps } from '@icosa/module'

export const unsupported = {
  contents: {
    name: "the maker's own seasons",
    answer: 'differs',
    instead:
      'A season is there once an operator has imported, mirrored or generated it. Any other possible season is 404; 400 is for years that cannot be one.',
  },
  accounts: {
    name: 'registering for a user name and a token',
    answer: 'differs',
    instead: 'The password is a key (`icosa keys create`), the user name its tenant or its id.',
  },
  playoffWins: {
    name: '`quarterFinalWins`, `semiFinalWins` and `finalWins` from 2023 on',
    answer: 'differs',
    instead:
      'They are refused (400). Playoffs are a double elimination, whose points follow from the place: send `place`, which is ours.',
  },
  qualified: {
    name: '`qualifiedFirstCmp` true, and `adjustmentPoints`, in a district ranking that is worked out',
    answer: 'never',
    instead: 'Who is invited is decided elsewhere. Rankings that are imported have both as they came.',
  },
  xml: {
    name: '`Accept: application/xml`',
    answer: 'differs',
    instead:
      'Answers are JSON, whatever `Accept` says. They are compressed once at the import and sent to all callers as they are; a second form would double what a node keeps, and every client library that we know asks for JSON.',
  },
  hybrid: {
    name: 'the hybrid schedule, the regional pool and other paths of later versions',
    answer: 'differs',
    instead:
      'The specification has 19 paths; any other is 501. A hybrid schedule can be imported: it becomes a schedule and matches.',
  },
  corrections: {
    name: 'deleting a season or an event',
    answer: 'differs',
    instead: 'What is imported again takes the place of what was there; an event that is gone from its season stays.',
  },
} as const satisfies Gaps
