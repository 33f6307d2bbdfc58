import type { Child } from './document.ts'
import { overlap } from './hits/hit.ts'
import type { PredictedEntity } from './results.ts'

const rangeOf = ({ start, length }: PredictedEntity) => ({ start, end: start + length })

/**
 * Sets the list, regex or prebuilt entity that learned entities and their parts are an instance of: a required feature or, for parts,
 * any feature with the same extent. Returns these instances, which are not shown separately.
 */
export function bindInstances(
  definitions: readonly Child[],
  learned: readonly PredictedEntity[],
  matches: readonly PredictedEntity[],
  isPart = false,
): Set<PredictedEntity> {
  const bound = new Set<PredictedEntity>()
  for (const entity of learned) {
    const { children = [], features, instanceOf } = definitions.find(({ name }) => name === entity.name) ?? {}
    for (const inner of bindInstances(children, entity.children, matches, true)) bound.add(inner)
    if (entity.children.length > 0) continue
    const featureList = Array.isArray(features) ? features : []
    const helpful = new Set([instanceOf, ...featureList.map(({ modelName }) => modelName)])
    const required = new Set([
      instanceOf,
      ...featureList.filter(({ isRequired }) => isRequired).map((feature) => feature.modelName),
    ])
    const isSame = ({ start, length }: PredictedEntity) => start === entity.start && length === entity.length
    const [instance] = matches
      .filter((match) => helpful.has(match.name) && overlap(rangeOf(match), rangeOf(entity)))
      .filter((match) => required.has(match.name) || (isPart && isSame(match)))
      .sort((a, b) => Number(isSame(b)) - Number(isSame(a)) || b.length - a.length)
    if (!instance) continue
    entity.instance = instance
    bound.add(instance)
  }
  return bound
}
