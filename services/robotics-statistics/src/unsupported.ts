import type { Gaps } from '@icosa/module'

export const unsupported = {
  contents: {
    name: "the maker's own seasons",
    answer: 'differs',
    instead:
      'A season exists once an operator has imported, mirrored or generated it. Any other possible season returns 404, an impossible year 400.',
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
      'They are refused (400). Playoffs are a double elimination, whose points depend on the place: send `place`, an extension.',
  },
  qualified: {
    name: '`qualifiedFirstCmp` true, and `adjustmentPoints`, in a computed district ranking',
    answer: 'never',
    instead: 'Invitations are decided elsewhere. Imported rankings keep both fields.',
  },
  xml: {
    name: '`Accept: application/xml`',
    answer: 'differs',
    instead:
      'Responses are always JSON. They are compressed once, at import, and sent to all callers unchanged; a second format would double the memory of a node, and every client library we know requests JSON.',
  },
  hybrid: {
    name: 'the hybrid schedule, the regional pool and other paths of later versions',
    answer: 'differs',
    instead:
      'The specification has 19 paths; any other returns 501. A hybrid schedule can be imported: it becomes a schedule and matches.',
  },
  corrections: {
    name: 'deleting a season or an event',
    answer: 'differs',
    instead: 'Another import replaces the data; events missing from it are kept.',
  },
} as const satisfies Gaps
