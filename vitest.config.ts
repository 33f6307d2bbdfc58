import { configDefaults, defineConfig } from 'vitest/config'
import { ShardByDuration } from './scripts/shards.ts'

// Long: how long something takes is for a test to compare, not for a machine that others use to decide.
const patienceMs = process.env.NIGHTLY ? 3_600_000 : 300_000

/**
 * Tests of services and packages load much the same, so their files share two processes, which saves a third of the work.
 * A file has one to itself if it starts programs, looks at its own process, loads all services, or changes which images the
 * process reads.
 */
const alone = ['{apps,tests}', 'packages/{compute,sandbox}', 'services/face-recognition'].map(
  (folder) => `${folder}/**/*.test.ts`,
)

/** Files with only nightly tests: loading them just to skip them costs a process each. */
const nightly = ['statements/*', 'chaos/whole/*', 'chaos/failover', 'deploy/{drill,image}', 'upgrade/versions'].map(
  (file) => `tests/${file}.test.ts`,
)

export default defineConfig({
  test: {
    globalSetup: 'tests/setup.ts',
    sequence: { sequencer: ShardByDuration },
    maxWorkers: 2,
    maxConcurrency: 3, // tests that sign in as one person at once must stay below the limit of guesses
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: 'parts', include: ['{packages,services}/**/*.test.ts'], exclude: alone, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'platform',
          include: alone,
          exclude: [...configDefaults.exclude, ...(process.env.NIGHTLY ? [] : nightly)],
        },
      },
    ],
  },
})
