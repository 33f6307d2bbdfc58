import { coverService } from '@icosa/testing/cover'
import { eventDetection } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(eventDetection(), {
  seed,
  fields: {
    BatchPutMessage: 'an action: src/messages/messages.test.ts',
    'Batch*Detector': 'an action: src/detectors/detectors.test.ts',
    'Batch*Alarm': 'an action: src/alarm-instances/alarm-instances.test.ts',
    StartDetectorModelAnalysis: 'an action: src/detector-models/detector-models.test.ts',
    'TagResource tags': 'added to the others: src/inputs/inputs.test.ts',
    'Create* tags': 'listed by the ARN: src/inputs/inputs.test.ts',
  },
})
