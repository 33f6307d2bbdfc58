import { expect, test } from 'vitest'
import { score } from './score.ts'

const label = (entity: string, startPos: number, endPos: number) => ({ entity, startPos, endPos })

test('precision, recall and F1 of intents and entities, and the confusion matrix', () => {
  const labelled = [
    { text: 'a', intent: 'A', entities: [label('X', 0, 1)] },
    { text: 'b', intent: 'A', entities: [label('X', 2, 3)] },
    { text: 'c', intent: 'B', entities: [] },
    { text: 'd', intent: 'B', entities: [label('Y', 0, 0)] },
  ]
  const report = score(labelled, [
    { intent: 'A', entities: [label('X', 0, 1)] },
    { intent: 'B', entities: [label('X', 2, 4)] },
    { intent: 'B', entities: [] },
    { intent: 'B', entities: [] },
  ])
  expect(report.accuracy).toBe(0.75)
  expect(report.intents).toEqual([
    { name: 'A', support: 2, precision: 1, recall: 0.5, f1: expect.closeTo(2 / 3) },
    { name: 'B', support: 2, precision: expect.closeTo(2 / 3), recall: 1, f1: 0.8 },
  ])
  expect(report.entities).toEqual([
    { name: 'X', support: 2, precision: 0.5, recall: 0.5, f1: 0.5 },
    { name: 'Y', support: 1, precision: 0, recall: 0, f1: 0 },
  ])
  expect(report.confusion.get('A')).toEqual(
    new Map([
      ['A', 1],
      ['B', 1],
    ]),
  )
})
