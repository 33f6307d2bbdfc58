import { coverService } from '@icosa/testing/cover'
import { contributionCollection } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(contributionCollection(), {
  seed,
  fields: {
    createToken: 'answers a token: src/access/access.test.ts',
    'createUser password': 'write-only: src/access/access.test.ts',
    'createUser email': 'where mails to the user go: src/events/events.test.ts',
    'createUser scopes': 'what tokens may do: src/access/access.test.ts',
    'createAssignment id': 'changes the one that it names: src/assignments/assignments.test.ts',
  },
})
