import { coverService } from '@icosa/testing/cover'
import { eventDetection } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(eventDetection(), { seed })
