import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { inputsOf, loadTarget, problemWith, targetNames } from './target.ts'

/** How long each target is fuzzed nightly. */
const nightlySeconds = 60

test.each(targetNames)('%s reads or refuses seeds and corpus inputs within bounds', async (name) => {
  const target = await loadTarget(name)
  await problemWith(target, Buffer.alloc(0)) // warms up, so that the first input is not charged for loading and compiling
  for (const [index, input] of inputsOf(name, target).entries())
    expect(
      await problemWith(target, input),
      `input ${index}: ${input.toString('latin1').slice(0, 200)}`,
    ).toBeUndefined()
})

test.runIf(process.env.NIGHTLY).each(targetNames)(`%s survives ${nightlySeconds} s of mutated inputs`, async (name) => {
  const { executions, findings } = await fuzz(name, nightlySeconds)
  console.log(`${name}: ${executions} executions in ${nightlySeconds} s`)
  expect(findings).toEqual([])
  expect(executions).toBeGreaterThan(100)
})
