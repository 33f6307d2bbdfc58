import type { Child } from './document.ts'
import { overlap } from './hits/hit.ts'
import type { PredictedEntity } from './results.ts'

const rangeOf = ({ start, length }: PredictedEntity) => ({ start, end: start + length })

/**
 * Gives learnt entities, and their parts, the list, regex or prebuilt entity that they are an instance of: one that they require or, in
 * parts, that helps them and has the same extent. Returns those that were given, which are not shown beside them.
 */
export function bindInstances(
  definitions: readonly Child[],
  learnt: readonly PredictedEntity[],
  found: readonly PredictedEntity[],
  isPart = false,
): Set<PredictedEntity> {
  const bound = new Set<PredictedEntity>()
  for (const entity of learnt) {
    const { children = [], features, instanceOf } = definitions.find(({ name }) => name === entity.name) ?? {}
    for (const inner of bindInstances(children, entity.children, found, true)) bound.add(inner)
    if (entity.children.length > 0) continue
    const given = Array.isArray(features) ? features : []
    const helping = new Set([instanceOf, ...given.map(({ modelName }) => modelName)])
    const required = new Set([instanceOf, ...given.filter(({ isRequired }) => isRequired).map((one) => one.modelName)])
    const isSame = ({ start, length }: PredictedEntity) => start === entity.start && length === entity.length
    const [instance] = found
      .filter((one) => helping.has(one.name) && overlap(rangeOf(one), rangeOf(entity)))
      .filter((one) => required.has(one.name) || (isPart && isSame(one)))
      .sort((a, b) => Number(isSame(b)) - Number(isSame(a)) || b.length - a.length)
    if (!instance) continue
    entity.instance = instance
    bound.add(instance)
  }
  return bound
}
