import { asOrdinaryUser, hasUserNamespaces } from '@icosa/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryFileBytes } from './rootless.ts'
import { attempts } from './testing/attempts.ts'
import { promised } from './testing/promised.ts'
import { staged } from './testing/staged.ts'

describe.runIf(hasUserNamespaces())('as an ordinary user', () => {
  let outcomes: Record<string, string>
  beforeAll(async () => {
    outcomes = await asOrdinaryUser(new URL('testing/ordinary-user.ts', import.meta.url))
  })
  test.each([...attempts, ...staged])('$name', ({ name }) => {
    expect(outcomes[name]).toBe(promised(name, 'runsc without root'))
    expect(outcomes[name]).toBe('stopped')
  })
  test('a server answers on its socket; other runtimes are refused by name', async () => {
    expect(await asOrdinaryUser(new URL('testing/ordinary-server.ts', import.meta.url))).toEqual({
      replies: ['/a', '/b'],
      refusal: expect.stringContaining('Untrusted programs run in bwrap only on a node started as root'),
      problem: undefined,
      note: expect.stringContaining('without root'),
    })
  })
})

test.runIf(hasUserNamespaces())('reports a kernel that denies namespaces to ordinary users', async () => {
  const { problem } = await asOrdinaryUser<{ problem: string }>(new URL('testing/no-namespaces.ts', import.meta.url))
  expect(problem).toMatch(
    /^Untrusted programs cannot be run without root: the kernel does not allow .*\(unshare: .*start the node as root/,
  )
})

test.runIf(hasUserNamespaces())(
  "gVisor's memory file does not exceed its limit, even if nothing polls it",
  async () => {
    const { printed, isDone, why } = await asOrdinaryUser<{ printed: number; isDone: boolean; why: string }>(
      new URL('testing/unwatched.ts', import.meta.url),
    )
    expect(isDone, why).toBe(false)
    expect(printed, why).toBeGreaterThan(256)
    expect(printed, why).toBeLessThanOrEqual(1_024)
  },
)

test("gVisor's memory file is limited to the next power of two of GiB", () => {
  const sizes = [1, 2 ** 30, 2 ** 30 + 1, 3 * 2 ** 30].map((memoryBytes) =>
    memoryFileBytes({ memoryBytes, processes: 1 }),
  )
  expect(sizes).toEqual([2 ** 30, 2 ** 30, 2 ** 31, 2 ** 32])
})
