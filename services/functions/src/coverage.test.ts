import { coverService } from '@icosa/testing/cover'
import { functionsService } from './index.ts'
import { testSettings } from './testing/app.ts'
import { seed } from './testing/seed.ts'

coverService(functionsService(testSettings()), {
  seed,
  fields: {
    createFunction: 'its fields are those of updateFunction: src/functions/functions.test.ts',
    deployFiles: 'an action: src/calls/calls.test.ts',
    callFunction: 'an action: src/calls/calls.test.ts',
    publish: 'an action: src/events/events.test.ts',
    publishEvents: 'an action: src/events/channels.test.ts',
    moveTraffic: 'an action: src/traffic/traffic.test.ts',
    generateUploadUrl: 'an action: src/source/source.test.ts',
    setupFunctionUpgradeConfig: 'not supported: src/functions/refusals.test.ts',
    'setIamPolicy policy.etag': 'the version to replace: src/policies/policies.test.ts',
    'setIamPolicy policy.version': '0, 1 or 3: src/policies/policies.test.ts',
  },
})
