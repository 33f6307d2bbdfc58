import { coverService } from '@icosa/testing/cover'
import { functionsService } from './index.ts'
import { testSettings } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const usual = 'unspecified is the usual word: src/functions/refusals.test.ts'
const empty = 'empty is as good as none: src/functions/refusals.test.ts'

coverService(functionsService(testSettings()), {
  seed,
  fields: {
    createFunction: 'its fields are those of updateFunction: src/functions/functions.test.ts',
    publish: 'an action: src/events/events.test.ts',
    generateUploadUrl: 'an action: src/source/source.test.ts',
    setupFunctionUpgradeConfig: 'not built: src/functions/refusals.test.ts',
    'setIamPolicy policy.etag': 'of the policy that is replaced: src/policies/policies.test.ts',
    'setIamPolicy policy.version': '0, 1 or 3: src/policies/policies.test.ts',
    'setIamPolicy updateMask': 'says what counts: src/policies/policies.test.ts',
    'updateFunction name': 'that of the path, or none: src/functions/refusals.test.ts',
    'updateFunction kmsKeyName': empty,
    'updateFunction environment': usual,
    'updateFunction buildConfig.dockerRegistry': usual,
    'updateFunction buildConfig.dockerRepository': empty,
    'updateFunction buildConfig.workerPool': empty,
    'updateFunction buildConfig.entryPoint': empty,
    'updateFunction eventTrigger.channel': empty,
    'updateFunction eventTrigger.retryPolicy': usual,
    'updateFunction *.serviceAccountEmail': empty,
    'updateFunction serviceConfig.availableCpu': empty,
    'updateFunction serviceConfig.ingressSettings': usual,
    'updateFunction serviceConfig.securityLevel': usual,
    'updateFunction serviceConfig.vpcConnector': empty,
    'updateFunction serviceConfig.vpcConnectorEgressSettings': usual,
  },
})
