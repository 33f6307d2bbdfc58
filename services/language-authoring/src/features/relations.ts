import { implement, ok } from '@icosa/kernel'
import type { Child, Content, Model, Relation } from '../content/content.ts'
import { entityNamed, findChild, modelOf } from '../content/find.ts'
import { badArgument, nameTaken, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { entityFeatures as entityContract, intentFeatures as intentContract } from './contract.ts'

type Owner = Model | Child

interface NewRelation {
  readonly featureName?: string | null
  readonly modelName?: string | null
  readonly isRequired?: boolean
}

/** A relation names either a phrase list or an entity. */
function relationOf(content: Content, owner: Owner, { featureName, modelName, isRequired }: NewRelation): Relation {
  const required = isRequired === undefined ? {} : { isRequired }
  if (featureName && modelName) badArgument('Send featureName or modelName, not both.')
  if (featureName) {
    if (!content.phraseLists.some(({ name }) => name === featureName))
      badArgument(`There is no phrase list '${featureName}'.`)
    return { featureName, ...required }
  }
  if (!modelName) return badArgument('Send featureName or modelName.')
  if (!entityNamed(content, modelName)) badArgument(`There is no entity '${modelName}'.`)
  if (modelName === owner.name) badArgument('A model cannot be a feature of itself.')
  return { modelName, ...required }
}

const isSame = (a: Relation, b: Relation) => a.featureName === b.featureName && a.modelName === b.modelName

function add(owner: Owner, relation: Relation): void {
  const name = relation.featureName ?? relation.modelName ?? ''
  if (owner.features.some((other) => isSame(other, relation))) nameTaken('feature', name)
  owner.features.push(relation)
}

function remove(owner: Owner, { featureName, modelName }: NewRelation): void {
  const removed: Relation = { ...(featureName && { featureName }), ...(modelName && { modelName }) }
  if (!owner.features.some((relation) => isSame(relation, removed))) unknown('feature', featureName ?? modelName ?? '')
  owner.features = owner.features.filter((relation) => !isSame(relation, removed))
}

const toRelation = ({ extra, ...relation }: Relation) => relation

interface Params {
  readonly appId: string
  readonly versionId: string
}

function handlersFor<P extends Params>(ownerIn: (content: Content, params: P) => Owner) {
  type Input<B> = { readonly params: P; readonly body: B }
  type Reading = Parameters<typeof contentOf>[0]
  type Writing = Parameters<typeof editContent>[0]
  return {
    async list({ params }: { readonly params: P }, context: Reading) {
      return ok(ownerIn(await contentOf(context, params), params).features.map(toRelation))
    },
    async add({ params, body }: Input<NewRelation>, context: Writing) {
      await editContent(context, params, (content) => {
        const owner = ownerIn(content, params)
        add(owner, relationOf(content, owner, body))
      })
      return done()
    },
    async replace({ params, body }: Input<readonly NewRelation[]>, context: Writing) {
      await editContent(context, params, (content) => {
        const owner = ownerIn(content, params)
        owner.features = []
        for (const relation of body) add(owner, relationOf(content, owner, relation))
      })
      return done()
    },
    async delete({ params, body }: Input<NewRelation>, context: Writing) {
      await editContent(context, params, (content) => remove(ownerIn(content, params), body))
      return done()
    },
  }
}

export const intentFeatures = implement(
  intentContract,
  handlersFor((content, { intentId }: Params & { readonly intentId: string }) => modelOf(content, 'intent', intentId)),
)

/** Features of an entity, or of a part of one. */
export const entityFeatures = implement(
  entityContract,
  handlersFor(
    (content, { entityId }: Params & { readonly entityId: string }): Owner =>
      findChild(content, entityId)?.child ?? modelOf(content, 'entity', entityId),
  ),
)
