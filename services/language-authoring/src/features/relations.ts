import { implement, ok } from '@icosa/kernel'
import type { Child, Content, Model, Relation } from '../content/content.ts'
import { entityNamed, findChild, modelOf } from '../content/find.ts'
import { badArgument, nameTaken, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { contentOf, edited } from '../versions/edit.ts'
import { entityFeatures as entityContract, intentFeatures as intentContract } from './contract.ts'

type Bearer = Model | Child

interface Sent {
  readonly featureName?: string | null
  readonly modelName?: string | null
  readonly isRequired?: boolean
}

/** A relation names a phrase list or an entity, and not both. */
function relationOf(content: Content, bearer: Bearer, { featureName, modelName, isRequired }: Sent): Relation {
  const required = isRequired === undefined ? {} : { isRequired }
  if (featureName && modelName) badArgument('Send featureName or modelName, not both.')
  if (featureName) {
    if (!content.phraseLists.some(({ name }) => name === featureName))
      badArgument(`There is no phrase list '${featureName}'.`)
    return { featureName, ...required }
  }
  if (!modelName) return badArgument('Send featureName or modelName.')
  if (!entityNamed(content, modelName)) badArgument(`There is no entity '${modelName}'.`)
  if (modelName === bearer.name) badArgument('A model cannot help itself.')
  return { modelName, ...required }
}

const isSame = (one: Relation, other: Relation) =>
  one.featureName === other.featureName && one.modelName === other.modelName

function add(bearer: Bearer, relation: Relation): void {
  const name = relation.featureName ?? relation.modelName ?? ''
  if (bearer.features.some((one) => isSame(one, relation))) nameTaken('feature', name)
  bearer.features.push(relation)
}

function remove(bearer: Bearer, sent: Sent): void {
  const { featureName, modelName } = sent
  const gone: Relation = { ...(featureName && { featureName }), ...(modelName && { modelName }) }
  if (!bearer.features.some((one) => isSame(one, gone))) unknown('feature', featureName ?? modelName ?? '')
  bearer.features = bearer.features.filter((one) => !isSame(one, gone))
}

const toRelation = ({ extra, ...relation }: Relation) => relation

interface Params {
  readonly appId: string
  readonly versionId: string
}

function handlersFor<P extends Params>(bearerIn: (content: Content, params: P) => Bearer) {
  type Input<B> = { readonly params: P; readonly body: B }
  type Reading = Parameters<typeof contentOf>[0]
  type Writing = Parameters<typeof edited>[0]
  return {
    async list({ params }: { readonly params: P }, context: Reading) {
      return ok(bearerIn(await contentOf(context, params), params).features.map(toRelation))
    },
    async add({ params, body }: Input<Sent>, context: Writing) {
      await edited(context, params, (content) => {
        const bearer = bearerIn(content, params)
        add(bearer, relationOf(content, bearer, body))
      })
      return done()
    },
    async replace({ params, body }: Input<readonly Sent[]>, context: Writing) {
      await edited(context, params, (content) => {
        const bearer = bearerIn(content, params)
        bearer.features = []
        for (const one of body) add(bearer, relationOf(content, bearer, one))
      })
      return done()
    },
    async delete({ params, body }: Input<Sent>, context: Writing) {
      await edited(context, params, (content) => remove(bearerIn(content, params), body))
      return done()
    },
  }
}

export const intentFeatures = implement(
  intentContract,
  handlersFor((content, { intentId }: Params & { readonly intentId: string }) => modelOf(content, 'intent', intentId)),
)

/** Of an entity, or of a part of one. */
export const entityFeatures = implement(
  entityContract,
  handlersFor(
    (content, { entityId }: Params & { readonly entityId: string }): Bearer =>
      findChild(content, entityId)?.child ?? modelOf(content, 'entity', entityId),
  ),
)
