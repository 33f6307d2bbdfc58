import { expect, test } from 'vitest'
import { masking, shortened } from './mask.ts'

const [one, other] = ['7aa1574e-2141-4204-9d1d-f540534ab722', '57975e98-f3c1-486e-bc40-890aed0dc5c7']
const token = (letter: string) => `icosa_${letter.repeat(43)}`

test('what differs between two runs is masked, and the same id always in the same way', () => {
  const mask = masking()
  const id = '00000000-0000-4000-8000-000000000001'
  expect(
    mask(
      { name: 'Ada', id: one, at: '2026-01-02T03:04:05Z', key: token('a'), size: 3 },
      { name: 'Ada', id: other, at: '2027-01-02T03:04:05Z', key: token('b'), size: 3, more: 1 },
    ),
  ).toEqual({ name: 'Ada', id, at: '2026-03-01T12:00:00Z', key: '…', size: 3 })
  expect(mask(`/plans/a%3A${one}?x=1`, `/plans/a%3A${other}?x=1`)).toBe(`/plans/a%3A${id}?x=1`)
  expect(mask([one, 1], [other])).toEqual([id])
  expect([mask('aB-3x_9', 'Zq7y'), mask('snow-3', 'snow-4')]).toEqual(['id3', 'snow-4'])
})

test('long lists and texts are cut visibly', () => {
  expect(shortened({ list: [1, 2, 3], text: 'x'.repeat(300), flag: true })).toEqual({
    list: [1, 2, '…'],
    text: `${'x'.repeat(200)}…`,
    flag: true,
  })
})
