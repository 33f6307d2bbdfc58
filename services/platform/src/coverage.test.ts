import { coverService } from '@icosa/testing/cover'
import { platform } from './index.ts'

coverService(platform)
