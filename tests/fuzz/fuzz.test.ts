import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { inputsOf, loadTarget, problemWith, targetNames } from './target.ts'

/** How long each target is fuzzed at night. */
const nightlySeconds = 60

test.each(targetNames)('%s: seeds and kept inputs are read or refused, within bounds', async (name) => {
  const target = await loadTarget(name)
  await problemWith(target, Buffer.alloc(0)) // loads and compiles what the first input would pay for
  for (const [index, input] of inputsOf(name, target).entries())
    expect(
      await problemWith(target, input),
      `input ${index}: ${input.toString('latin1').slice(0, 200)}`,
    ).toBeUndefined()
})

test.runIf(process.env.NIGHTLY).each(targetNames)(`%s: ${nightlySeconds} s of mutated inputs`, async (name) => {
  const { executions, findings } = await fuzz(name, nightlySeconds)
  console.log(`${name}: ${executions} executions in ${nightlySeconds} s`)
  expect(findings).toEqual([])
  expect(executions).toBeGreaterThan(100)
})
