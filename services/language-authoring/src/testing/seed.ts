import { randomUUID } from 'node:crypto'
import type { Target } from '@icosa/client'
import { client } from '@icosa/client'
import type { Seed } from '@icosa/testing'
import { contracts, prediction } from '../contract.ts'
import { roleKinds, rolesContract } from '../roles/contract.ts'
import { fileOf } from './app.ts'
import { generatedApp } from './documents.ts'

const inherits = { domain_name: 'Travel', model_name: 'Copied' }

/**
 * An app with models of all kinds, some of them copied from a domain. Its language has no encoder and no recognizers, which
 * saves time in many trainings and thousands of generated queries.
 */
const document = () => {
  const app = generatedApp(1)
  return {
    ...app,
    culture: 'de-de',
    intents: [...(app.intents as object[]), { name: 'Copied', features: [], inherits }],
    entities: [...(app.entities as object[]), { name: 'Copied', roles: [], children: [], features: [], inherits }],
  }
}

type ModelIds = Readonly<
  Record<
    'intentId' | 'entityId' | 'clEntityId' | 'cEntityId' | 'hEntityId' | 'hChildId' | 'regexEntityId' | 'patternAnyId',
    string
  >
>

interface At {
  readonly appId: string
  readonly versionId: string
}

async function writeApp(target: Target, params: At): Promise<void> {
  const api = <Name extends 'Apps' | 'Permissions' | 'Versions' | 'VersionSettings'>(name: Name) =>
    client(contracts[name], target)
  const texts = { description: 'for a test', domain: 'Tools', usageScenario: 'Bot' }
  await api('Apps').add({ body: { name: `Made ${randomUUID()}`, culture: 'de-de', ...texts, initialVersionId: '1.0' } })
  await api('Apps').update({ params, body: { name: `Changed ${randomUUID()}`, description: 'changed' } })
  await api('Permissions').add({ params, body: { email: 'ada@example.com' } })
  await api('Permissions').delete({ params, body: { email: 'ada@example.com' } })
  await api('Permissions').add({ params, body: { email: 'ada@example.com' } })
  await api('Versions').clone({ params, body: { version: 'clone' } })
  await api('VersionSettings').update({ params, body: [{ name: 'NormalizeWordForm', value: 'true' }] })
}

/** Adds a role to every kind of entity, and renames it. */
async function writeRoles(target: Target, params: object): Promise<void> {
  for (const where of Object.values(roleKinds)) {
    const roles = client(rolesContract(where), target)
    const { body: roleId } = await roles.create({ params: params as never, body: { name: 'role' } })
    await roles.update({ params: { ...params, roleId } as never, body: { name: 'other role' } })
  }
}

async function writeKinds(target: Target, params: At & ModelIds): Promise<void> {
  const api = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], target)
  await api('Intents').add({ params, body: { name: 'Cancel' } })
  await api('Intents').update({ params, body: { name: 'Do fly now' } })
  await api('ClosedLists').add({
    params,
    body: { name: 'Colour', subLists: [{ canonicalForm: 'Red', list: ['pink'] }] },
  })
  await api('ClosedLists').update({
    params,
    body: { name: 'Place', subLists: [{ canonicalForm: 'Oslo', list: ['Christiania'] }] },
  })
  await api('CompositeEntities').update({ params, body: { name: 'Order', children: ['Person', 'number'] } })
  await api('HierarchicalEntities').update({ params, body: { name: 'Way' } })
  await api('HierarchicalEntities').updateChild({ params, body: { name: 'From' } })
  await api('RegexEntities').create({ params, body: { name: 'Zip', regexPattern: '[0-9]{5}' } })
  await api('RegexEntities').update({ params, body: { name: 'Flight', regexPattern: '[A-Z]{2}[0-9]+' } })
  await api('PatternAnyEntities').create({ params, body: { name: 'Song', explicitList: ['Yesterday'] } })
  await api('PatternAnyEntities').update({ params, body: { name: 'Title', explicitList: ['The Way Home'] } })
  await api('Entities').update({ params, body: { name: 'Person' } })
  await api('Prebuilts').add({ params, body: ['email'] })
}

/** Creates one of everything, and updates it. */
async function writeAll(target: Target, params: At & ModelIds): Promise<Record<string, string>> {
  const api = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], target)
  const { body: list } = await api('PhraseLists').add({
    params,
    body: { name: 'colours', phrases: 'red,blue', isExchangeable: false, enabledForAllModels: false },
  })
  const ids = { ...params, phraselistId: String(list) }
  const update = { name: 'tones', phrases: 'red', isActive: false, isExchangeable: true, enabledForAllModels: true }
  await api('PhraseLists').update({ params: ids, body: update })
  await api('IntentFeatures').add({ params: ids, body: { featureName: 'tones', isRequired: true } })
  await api('IntentFeatures').replace({ params: ids, body: [{ modelName: 'Place', isRequired: false }] })
  await api('IntentFeatures').delete({ params: ids, body: { modelName: 'Place' } })
  await api('EntityFeatures').add({ params: ids, body: { featureName: 'tones', isRequired: true } })
  await api('EntityFeatures').replace({ params: ids, body: [{ modelName: 'Place', isRequired: false }] })
  await api('EntityFeatures').delete({ params: ids, body: { modelName: 'Place' } })
  const part = await api('Entities').addChild({
    params: ids,
    body: { name: 'Part', instanceOf: 'Place', children: [] },
  })
  await api('Entities').update({
    params: { ...ids, entityId: part.body },
    body: { name: 'Piece', instanceOf: 'Flight' },
  })
  await api('Entities').add({ params: ids, body: { name: 'Whole', children: [{ name: 'Half', instanceOf: 'Place' }] } })
  await api('ClosedLists').patch({ params: ids, body: { subLists: [{ canonicalForm: 'Bonn', list: ['Bonna'] }] } })
  const subList = await api('ClosedLists').addSubList({ params: ids, body: { canonicalForm: 'Nice', list: ['Nizza'] } })
  const subListId = String(subList.body)
  const changed = { canonicalForm: 'Nice', list: ['Nizza', 'Nissa'] }
  await api('ClosedLists').updateSubList({ params: { ...ids, subListId }, body: changed })
  await api('CompositeEntities').addChild({ params: ids, body: { name: 'Flight' } })
  const rule = await api('Patterns').addPattern({ params: ids, body: { pattern: 'go to {Place}', intent: 'Book' } })
  const patternId = rule.body.id
  const body = { id: patternId, pattern: 'go [now] to {Place}', intent: 'Book' }
  await api('Patterns').updatePattern({ params: { ...ids, patternId }, body })
  await api('Patterns').updatePatterns({ params: ids, body: [body] })
  const item = await api('PatternAnyEntities').addExplicitListItem({ params: ids, body: { explicitListItem: 'Home' } })
  const itemId = String(item.body)
  await api('PatternAnyEntities').updateExplicitListItem({
    params: { ...ids, itemId },
    body: { explicitListItem: 'Away' },
  })
  return { phraselistId: ids.phraselistId, subListId, patternId, itemId }
}

async function label(target: Target, params: At): Promise<string> {
  const examples = client(contracts.Examples, target)
  const entityLabels = [
    {
      entityName: 'Trip',
      startCharIndex: 5,
      endCharIndex: 16,
      children: [{ entityName: 'Target', startCharIndex: 13, endCharIndex: 16 }],
    },
    { entityName: 'Person', startCharIndex: 0, endCharIndex: 2, role: 'guest' },
  ]
  const example = { text: 'Ada: trip to Rome', intentName: 'Book', entityLabels }
  const { body } = await examples.add({ params, query: { enableNestedChildren: true }, body: example })
  await examples.batch({ params, query: { enableNestedChildren: true }, body: [example] })
  return String(body.ExampleId)
}

/** Creates an app with everything in it, trained and published. */
export const seed: Seed = async (owner, app) => {
  const api = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], owner)
  const name = `Seeded ${randomUUID()}`
  const { body: appId } = await api('Apps').import({ query: { appName: name }, body: fileOf(document()) })
  const at = { appId, versionId: '0.1' }
  const { body: models } = await api('Models').list({ params: at, query: { take: 500 } })
  const idOf = (name: string) => models.find((model) => model.name === name)?.id ?? ''
  const childOf = (name: string) => String(models.find((model) => model.name === name)?.children?.[0]?.id)
  const ids = {
    ...at,
    intentId: idOf('Do fly 0'),
    entityId: idOf('Person'),
    modelId: idOf('Book'),
    clEntityId: idOf('Place'),
    cEntityId: idOf('Order'),
    cChildId: childOf('Order'),
    hEntityId: idOf('Way'),
    hChildId: childOf('Way'),
    prebuiltId: idOf('datetimeV2'),
    regexEntityId: idOf('Flight'),
    patternAnyId: idOf('Title'),
    customEntityId: models.findLast((model) => model.name === 'Copied')?.id ?? '',
    roleId: (models.find((model) => model.name === 'Person')?.roles ?? [])[0]?.id ?? '',
    slotName: 'production',
    culture: 'en-us',
    domainName: 'Travel',
  }
  await writeApp(owner, at)
  await writeRoles(owner, ids)
  await writeKinds(owner, ids)
  const moreIds = await writeAll(owner, ids)
  const exampleId = await label(owner, at)
  await api('Training').trainVersion({ params: at })
  await app.jobs.drain()
  await api('Apps').publish({ params: at, body: { versionId: '0.1', isStaging: false } })
  const predictions = client(prediction, owner)
  await predictions.getSlotPrediction({ params: ids, query: { log: true }, body: { query: 'a trip to Oslo' } })
  return { ...ids, ...moreIds, exampleId }
}
