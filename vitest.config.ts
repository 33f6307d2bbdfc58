import { defineConfig } from 'vitest/config'

// Long: how long something takes is for a test to compare, not for a machine that others use to decide.
const patienceMs = process.env.NIGHTLY ? 3_600_000 : 300_000

export default defineConfig({
  test: {
    include: ['{packages,services,apps,tests}/**/*.test.ts'],
    globalSetup: 'tests/setup.ts',
    maxWorkers: 2,
    maxConcurrency: 3, // tests that sign in as one person at once must stay below the limit of guesses
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    expect: { poll: { timeout: 60_000 } },
  },
})
