import { coverService } from '@icosa/testing/cover'
import { eventDetection } from './index.ts'
import { seed } from './testing/seed.ts'

coverService(eventDetection(), {
  seed,
  fields: {
    BatchPutMessage: 'an action: src/messages/messages.test.ts',
    BatchUpdateDetector: 'an action: src/detectors/detectors.test.ts',
    BatchDeleteDetector: 'an action: src/detectors/detectors.test.ts',
    BatchAcknowledgeAlarm: 'an action: src/alarm-instances/alarm-instances.test.ts',
    BatchDisableAlarm: 'an action: src/alarm-instances/alarm-instances.test.ts',
    BatchEnableAlarm: 'an action: src/alarm-instances/alarm-instances.test.ts',
    BatchResetAlarm: 'an action: src/alarm-instances/alarm-instances.test.ts',
    BatchSnoozeAlarm: 'an action: src/alarm-instances/alarm-instances.test.ts',
    StartDetectorModelAnalysis: 'an action: src/detector-models/detector-models.test.ts',
    'TagResource tags': 'added to the others: src/inputs/inputs.test.ts',
    'CreateInput tags': 'listed by the ARN: src/inputs/inputs.test.ts',
    'CreateDetectorModel tags': 'listed by the ARN: src/inputs/inputs.test.ts',
    'CreateAlarmModel tags': 'listed by the ARN: src/inputs/inputs.test.ts',
  },
})
