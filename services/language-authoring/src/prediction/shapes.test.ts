import { expect, test } from 'vitest'
import type { PredictedEntity } from '../engine/results.ts'
import { toOlderAnswer } from './v2.ts'
import { toAnswer } from './v3.ts'

const entity = (name: string, more: Partial<PredictedEntity> = {}): PredictedEntity => ({
  name,
  kind: 'entity',
  type: name,
  start: 0,
  length: 3,
  text: 'Big',
  children: [],
  source: 'model',
  ...more,
})
const predictionOf = (entities: PredictedEntity[]) => ({ query: 'Big', topIntent: 'None', intents: [], entities })

test.each([
  ['list', { resolution: ['Large'] }, ['Large'], { values: ['Large'] }],
  ['prebuilt', { name: 'number', type: 'builtin.number', resolution: { value: '2' } }, 2, { value: '2' }],
  ['regex', {}, 'Big', undefined],
] as const)('a part that is an instance of a %s entity shows its type and value', (kind, more, value, resolution) => {
  const instance = entity('Sizes', { kind, ...more } as Partial<PredictedEntity>)
  const whole = entity('order', { children: [entity('size', { score: 0.9, instance })] })
  const { entities } = toAnswer(predictionOf([whole]), { isVerbose: true, hasAllIntents: false }).prediction
  const details = { type: instance.type, modelTypeId: 1, modelType: 'Entity Extractor', score: 0.9 }
  expect(entities).toMatchObject({ order: [{ size: [value], $instance: { size: [details] } }] })
  const [, part] = toOlderAnswer(predictionOf([whole]), false).entities
  expect(part).toMatchObject({ entity: 'big', type: instance.type, score: 0.9 })
  expect(part?.resolution).toEqual(resolution)
})
