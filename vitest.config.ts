import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,services,apps,tests}/**/*.test.ts'],
    globalSetup: 'tests/setup.ts',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
