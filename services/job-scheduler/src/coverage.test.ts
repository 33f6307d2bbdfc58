import { coverService } from '@icosa/testing/cover'
import { jobScheduler } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(jobScheduler(), { seed })
