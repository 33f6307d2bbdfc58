import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { type Group, type GroupName, groups } from './groups.ts'
import { instrument } from './instrument.ts'

const path = (file: string) => fileURLToPath(new URL(file, import.meta.url))
const group: Group = groups[process.env.MUTATION_GROUP as GroupName]
const { code, mutants, tests } = await instrument(group)

/** Mutates files on load and leaves those on disk unchanged. */
export default defineConfig({
  root: path('../../'),
  plugins: [
    {
      name: 'mutation',
      enforce: 'pre',
      load(id) {
        if (tests.includes(id)) return readFileSync(id, 'utf8').replace(`from 'vitest'`, `from '${path('collect.ts')}'`)
        return code.get(id)
      },
    },
  ],
  test: {
    include: ['tests/mutation/mutants.check.ts'],
    globalSetup: 'tests/setup.ts',
    pool: 'forks',
    fsModuleCache: false, // it ignores mutants
    testTimeout: 2 ** 31 - 1,
    expect: { poll: { timeout: 20_000 } },
    dangerouslyIgnoreUnhandledErrors: true, // caused by mutants
    provide: { mutants, testFiles: tests, functions: group.functions ?? [] },
  },
})

declare module 'vitest' {
  interface ProvidedContext {
    mutants: typeof mutants
    testFiles: typeof tests
    functions: readonly string[]
  }
}
