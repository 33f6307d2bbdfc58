import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const node = new URL('./node.ts', import.meta.url).href

/** A process that rejects something that nothing handles. */
const rejecting = (error: string) =>
  run(process.execPath, [
    '--input-type=module',
    '-e',
    `const { outliveOutages } = await import('${node}')
     const { DatabaseUnavailable } = await import('@icosa/kernel')
     outliveOutages(console.log)
     Promise.reject(new ${error}('away'))
     setTimeout(() => console.log('goes on'), 50)`,
  ])

test('a node outlives an outage that no caller waits for, and ends at any other error', async () => {
  expect((await rejecting('DatabaseUnavailable')).stdout).toMatch(/An outage that nothing waited for: .*away.*goes on/s)
  await expect(rejecting('TypeError')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('away') })
})
