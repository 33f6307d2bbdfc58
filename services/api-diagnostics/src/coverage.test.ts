import { coverService } from '@icosa/testing/cover'
import { apiDiagnostics } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(apiDiagnostics, { seed })
