import { defineConfig } from 'vitest/config'

/** The checks that need an S3 server; scripts/radosgw starts one. */
export default defineConfig({
  test: {
    include: ['packages/blobs/src/s3/s3.check.ts', 'tests/backups/s3.check.ts', 'tests/streams/large.check.ts'],
    globalSetup: 'tests/setup.ts',
    testTimeout: 60_000,
  },
})
