import { coverService } from '../coverage.ts'
import { example } from './index.ts'
import { seedNotes } from './seed.ts'

coverService(example, {
  seed: seedNotes,
  fields: { importNote: 'needs an upload: packages/kernel/src/db/transaction-guard.test.ts' },
})
