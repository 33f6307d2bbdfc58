import { inUse } from '../shapes/failures.ts'
import { type Content, kinds, type Model, type Relation } from './content.ts'
import { childrenOf, demandNewName } from './find.ts'

/** Yields everything that has features: models and their children. */
export function* featured(content: Content): Generator<{ features: Relation[]; instanceOf?: string | null }> {
  for (const model of content.models) {
    yield model
    yield* childrenOf(model)
  }
}

/** Also renames it in other models, which refer to it by name. */
export function rename(content: Content, model: Model, name: string): void {
  if (name === model.name) return
  demandNewName(content, model.kind, name, model)
  const old = model.name
  model.name = name
  if (model.kind === 'intent') return
  for (const owner of featured(content)) {
    for (const feature of owner.features) if (feature.modelName === old) feature.modelName = name
    if (owner.instanceOf === old) owner.instanceOf = name
  }
  for (const composite of content.models.filter(({ kind }) => kind === 'composite'))
    for (const child of composite.children) if (child.name === old) child.name = name
  const mention = mentionOf(old)
  for (const rule of content.patterns) rule.pattern = rule.pattern.replaceAll(mention, () => `{${name}`)
}

export function renamePhraseList(content: Content, old: string, name: string): void {
  for (const owner of featured(content))
    for (const feature of owner.features) if (feature.featureName === old) feature.featureName = name
}

/** Matches an entity in a pattern: `{name}`, or with a role `{name:role}`. */
const mentionOf = (name: string) => new RegExp(`\\{${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?=\\s*[:}])`, 'g')

/** Deletes an entity and relations to it, unless another model uses it. */
export function removeEntity(content: Content, model: Model): void {
  const { noun } = kinds[model.kind]
  const { name } = model
  for (const composite of content.models)
    if (
      composite.kind === 'composite' &&
      composite !== model &&
      composite.children.some((child) => child.name === name)
    )
      inUse(noun, name, `the composite entity '${composite.name}'`)
  for (const other of content.models)
    for (const child of childrenOf(other))
      if (other !== model && child.instanceOf === name)
        inUse(noun, name, `the child '${child.name}' of '${other.name}'`)
  const pattern = content.patterns.find((rule) => mentionOf(name).test(rule.pattern))
  if (pattern) inUse(noun, name, `the pattern '${pattern.pattern}'`)
  content.models = content.models.filter((other) => other !== model)
  dropRelations(content, ({ modelName }) => modelName === name)
}

export function dropRelations(content: Content, isObsolete: (relation: Relation) => boolean): void {
  for (const owner of featured(content)) owner.features = owner.features.filter((relation) => !isObsolete(relation))
}
