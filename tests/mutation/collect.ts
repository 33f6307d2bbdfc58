// Replaces `vitest` in test files: collects their tests, to run them once for every mutant.
import { expect, vi } from 'vitest'

export { expect, vi }

type Work = () => unknown
export interface Collected {
  readonly tests: { readonly name: string; readonly run: Work }[]
  readonly beforeAll: Work[]
  readonly afterAll: Work[]
  /** Callbacks to run after the current test. */
  finished: Work[]
}

/** Tests of the file that is loaded or run. Global, since modules are reloaded for some mutants. */
export const current = globalThis as unknown as { collecting: Collected }

type Arguments = [options: object, run: (...values: never[]) => unknown] | [run: (...values: never[]) => unknown]

export function test(name: string, ...rest: Arguments): void {
  current.collecting.tests.push({ name, run: rest.at(-1) as Work })
}
test.each =
  (cases: readonly unknown[]) =>
  (name: string, ...rest: Arguments): void => {
    const run = rest.at(-1) as (...values: unknown[]) => unknown
    for (const [index, one] of cases.entries())
      test(`${name} ${index}`, () => (Array.isArray(one) ? run(...one) : run(one)))
  }

export const describe = (_: string, define: () => void) => define()
export const beforeAll = (work: Work) => void current.collecting.beforeAll.push(work)
export const afterAll = (work: Work) => void current.collecting.afterAll.unshift(work)
export const onTestFinished = (work: Work) => void current.collecting.finished.push(work)
