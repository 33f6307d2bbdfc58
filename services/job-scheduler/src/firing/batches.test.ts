import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inBatches } from './batches.ts'

const after = <T>(ms: number, value: T) => sleep(ms).then(() => value)

test('results that arrive close together form a batch, and slow ones do not delay others', async () => {
  const results: string[][] = []
  const work = [after(80, 'slow'), after(1, 'a'), after(2, 'b')]
  for await (const batch of inBatches(work, 20)) results.push(batch)
  expect(results).toEqual([['a', 'b'], ['slow']])
})

test('no result is lost, whenever it arrives and however slow the reader is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(15), { maxLength: 20 }), fc.nat(10), async (pauses, readerMs) => {
      const results: number[] = []
      for await (const batch of inBatches(
        pauses.map((ms, index) => after(ms, index)),
        2,
      )) {
        results.push(...batch)
        await sleep(readerMs)
      }
      expect(results.sort((a, b) => a - b)).toEqual(pauses.map((_, index) => index))
    }),
    { numRuns: 50 },
  )
})

test('errors reach the reader', async () => {
  const readAll = async () => {
    for await (const _ of inBatches([after(1, 'a'), sleep(5).then(() => Promise.reject(new Error('broken')))], 1));
  }
  await expect(readAll()).rejects.toThrow('broken')
})
