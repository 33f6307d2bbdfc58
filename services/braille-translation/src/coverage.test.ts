import { coverService } from '@icosa/testing/cover'
import { brailleTranslation } from './index.ts'

coverService(brailleTranslation)
