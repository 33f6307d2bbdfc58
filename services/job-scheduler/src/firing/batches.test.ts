import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

const after = <T>(ms: number, value: T) => sleep(ms).then(() => value)

test('results that come close together come in one batch, and what is slow holds up nothing', async () => {
  const seen: string[][] = []
  const work = [after(80, 'slow'), after(1, 'a'), after(2, 'b')]
  for await (const some of inBatches(work, 20)) seen.push(some)
  expect(seen).toEqual([['a', 'b'], ['slow']])
})

test('nothing is lost, whenever it comes and however slow the reader is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(15), { maxLength: 20 }), fc.nat(10), async (pauses, readerMs) => {
      const seen: number[] = []
      for await (const some of inBatches(
        pauses.map((ms, index) => after(ms, index)),
        2,
      )) {
        seen.push(...some)
        await sleep(readerMs)
      }
      expect(seen.sort((one, other) => one - other)).toEqual(pauses.map((_, index) => index))
    }),
    { numRuns: 50 },
  )
})

test('an error reaches the reader', async () => {
  const read = async () => {
    for await (const _ of inBatches([after(1, 'a'), sleep(5).then(() => Promise.reject(new Error('broken')))], 1));
  }
  await expect(read()).rejects.toThrow('broken')
})
