import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,services,apps,tests}/**/*.test.ts'],
    globalSetup: 'tests/setup.ts',
    maxWorkers: 2,
    maxConcurrency: 3, // tests that sign in as one person at once must stay below the limit of guesses
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
