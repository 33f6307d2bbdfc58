import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const processModule = new URL('./process.ts', import.meta.url).href

/** A process with an unhandled rejection. */
const rejecting = (error: string) =>
  run(process.execPath, [
    '--input-type=module',
    '-e',
    `const { outliveOutages } = await import('${processModule}')
     const { DatabaseUnavailable } = await import('@icosa/kernel')
     outliveOutages(console.log)
     Promise.reject(new ${error}('away'))
     setTimeout(() => console.log('goes on'), 50)`,
  ])

test('a node survives an unhandled outage and exits at any other unhandled rejection', async () => {
  expect((await rejecting('DatabaseUnavailable')).stdout).toMatch(/An unhandled outage: .*away.*goes on/s)
  await expect(rejecting('TypeError')).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('away') })
})
