import { coverService } from '../coverage.ts'
import { example } from './index.ts'
import { seedNotes } from './seed.ts'

coverService(example, { seed: seedNotes })
