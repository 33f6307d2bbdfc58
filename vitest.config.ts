import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,services,apps,tests}/**/*.test.ts'],
    globalSetup: 'tests/setup.ts',
    maxWorkers: 2,
    maxConcurrency: 3, // tests that sign in as one person at once must stay below the limit of guesses
    // Long: how long something takes is for a test to compare, not for a machine that others use to decide.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
