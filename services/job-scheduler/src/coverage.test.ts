import { coverService } from '@icosa/testing/cover'
import { jobScheduler } from './index.ts'
import { seed } from './testing/seed.ts'

const certificates = 'src/secrets/certificate.test.ts'

coverService(jobScheduler(), {
  seed,
  fields: {
    'JobCollections_* name': 'the name in the path is used: src/collections/collections.test.ts',
    'Jobs_* properties.state': 'a finished job stays finished: src/jobs/jobs.test.ts',
    '*.request.authentication.type': 'NotSpecified is the same as none: src/actions/read.test.ts',
    '*.request.authentication.password': 'write-only: src/jobs/jobs.test.ts',
    '*.request.authentication.pfx': `write-only: ${certificates}`,
    '*.certificate*': `read from the certificate: ${certificates}`,
    '*.request.authentication.secret': 'write-only: src/actions/oauth.test.ts',
  },
})
