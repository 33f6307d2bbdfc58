import { coverService } from '@icosa/testing/cover'
import { roboticsStatistics } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(roboticsStatistics, { seed })
