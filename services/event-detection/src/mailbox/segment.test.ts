import { expect, test } from 'vitest'
import { partitionCount, partitionOf } from './partition.ts'
import { decodeEntries, encodeEntry, joinEntries } from './segment.ts'

const entry = (index: number) => ({
  modelId: '12',
  key: index === 0 ? '' : `k-${index}:a`,
  messageId: `m_${index}`,
  inputName: 'Reading',
  at: 1_700_000_000_000 + index,
  depth: index % 10,
  payload: JSON.stringify({ value: index, text: 'a\x1fb\x1ec\x1d\0', spaced: '\t\n' }, undefined, '\t'),
})

test('a segment decodes to the encoded messages', () => {
  const entries = Array.from({ length: 20 }, (_, index) => entry(index))
  expect(decodeEntries(joinEntries(entries.map(encodeEntry)))).toEqual(entries)
})

test('keys are spread evenly and deterministically over the partitions', () => {
  const counts = new Array<number>(partitionCount).fill(0)
  for (let index = 0; index < 64_000; index++) {
    const partition = partitionOf('7', `device-${index}`)
    counts[partition] = (counts[partition] ?? 0) + 1
  }
  expect(Math.min(...counts)).toBeGreaterThan(700)
  expect(Math.max(...counts)).toBeLessThan(1_300)
  expect([partitionOf('7', 'device-1'), partitionOf('8', 'device-1'), partitionOf('7', '')]).toEqual([25, 15, 36])
})
