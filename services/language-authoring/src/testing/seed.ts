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
 * An app with models of all kinds, some of them copied from a domain. It is in a language without sentence vectors and
 * recognizers: it is trained often, and thousands of generated questions are asked of it.
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

type Known = Readonly<
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
  const of = <Name extends 'Apps' | 'Permissions' | 'Versions' | 'VersionSettings'>(name: Name) =>
    client(contracts[name], target)
  const texts = { description: 'for a test', domain: 'Tools', usageScenario: 'Bot' }
  await of('Apps').add({ body: { name: `Made ${randomUUID()}`, culture: 'de-de', ...texts, initialVersionId: '1.0' } })
  await of('Apps').update({ params, body: { name: `Changed ${randomUUID()}`, description: 'changed' } })
  await of('Permissions').add({ params, body: { email: 'ada@example.com' } })
  await of('Permissions').delete({ params, body: { email: 'ada@example.com' } })
  await of('Permissions').add({ params, body: { email: 'ada@example.com' } })
  await of('Versions').clone({ params, body: { version: 'clone' } })
  await of('VersionSettings').update({ params, body: [{ name: 'NormalizeWordForm', value: 'true' }] })
}

/** Every kind of entity gets a role, which is then called otherwise. */
async function writeRoles(target: Target, params: object): Promise<void> {
  for (const where of Object.values(roleKinds)) {
    const roles = client(rolesContract(where), target)
    const { body: roleId } = await roles.create({ params: params as never, body: { name: 'role' } })
    await roles.update({ params: { ...params, roleId } as never, body: { name: 'other role' } })
  }
}

async function writeKinds(target: Target, params: At & Known): Promise<void> {
  const of = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], target)
  await of('Intents').add({ params, body: { name: 'Cancel' } })
  await of('Intents').update({ params, body: { name: 'Do fly now' } })
  await of('ClosedLists').add({
    params,
    body: { name: 'Colour', subLists: [{ canonicalForm: 'Red', list: ['pink'] }] },
  })
  await of('ClosedLists').update({
    params,
    body: { name: 'Place', subLists: [{ canonicalForm: 'Oslo', list: ['Christiania'] }] },
  })
  await of('CompositeEntities').update({ params, body: { name: 'Order', children: ['Person', 'number'] } })
  await of('HierarchicalEntities').update({ params, body: { name: 'Way' } })
  await of('HierarchicalEntities').updateChild({ params, body: { name: 'From' } })
  await of('RegexEntities').create({ params, body: { name: 'Zip', regexPattern: '[0-9]{5}' } })
  await of('RegexEntities').update({ params, body: { name: 'Flight', regexPattern: '[A-Z]{2}[0-9]+' } })
  await of('PatternAnyEntities').create({ params, body: { name: 'Song', explicitList: ['Yesterday'] } })
  await of('PatternAnyEntities').update({ params, body: { name: 'Title', explicitList: ['The Way Home'] } })
  await of('Entities').update({ params, body: { name: 'Person' } })
  await of('Prebuilts').add({ params, body: ['email'] })
}

/** One of everything, written once more. */
async function writeAll(target: Target, params: At & Known): Promise<Record<string, string>> {
  const of = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], target)
  const { body: list } = await of('PhraseLists').add({
    params,
    body: { name: 'colours', phrases: 'red,blue', isExchangeable: false, enabledForAllModels: false },
  })
  const ids = { ...params, phraselistId: String(list) }
  const update = { name: 'tones', phrases: 'red', isActive: false, isExchangeable: true, enabledForAllModels: true }
  await of('PhraseLists').update({ params: ids, body: update })
  await of('IntentFeatures').add({ params: ids, body: { featureName: 'tones', isRequired: true } })
  await of('IntentFeatures').replace({ params: ids, body: [{ modelName: 'Place', isRequired: false }] })
  await of('IntentFeatures').delete({ params: ids, body: { modelName: 'Place' } })
  await of('EntityFeatures').add({ params: ids, body: { featureName: 'tones', isRequired: true } })
  await of('EntityFeatures').replace({ params: ids, body: [{ modelName: 'Place', isRequired: false }] })
  await of('EntityFeatures').delete({ params: ids, body: { modelName: 'Place' } })
  const part = await of('Entities').addChild({
    params: ids,
    body: { name: 'Part', instanceOf: 'Place', children: [] },
  })
  await of('Entities').update({
    params: { ...ids, entityId: part.body },
    body: { name: 'Piece', instanceOf: 'Flight' },
  })
  await of('Entities').add({ params: ids, body: { name: 'Whole', children: [{ name: 'Half', instanceOf: 'Place' }] } })
  await of('ClosedLists').patch({ params: ids, body: { subLists: [{ canonicalForm: 'Bonn', list: ['Bonna'] }] } })
  const subList = await of('ClosedLists').addSubList({ params: ids, body: { canonicalForm: 'Nice', list: ['Nizza'] } })
  const subListId = String(subList.body)
  const changed = { canonicalForm: 'Nice', list: ['Nizza', 'Nissa'] }
  await of('ClosedLists').updateSubList({ params: { ...ids, subListId }, body: changed })
  await of('CompositeEntities').addChild({ params: ids, body: { name: 'Flight' } })
  const rule = await of('Patterns').addPattern({ params: ids, body: { pattern: 'go to {Place}', intent: 'Book' } })
  const patternId = rule.body.id
  const body = { id: patternId, pattern: 'go [now] to {Place}', intent: 'Book' }
  await of('Patterns').updatePattern({ params: { ...ids, patternId }, body })
  await of('Patterns').updatePatterns({ params: ids, body: [body] })
  const item = await of('PatternAnyEntities').addExplicitListItem({ params: ids, body: { explicitListItem: 'Home' } })
  const itemId = String(item.body)
  await of('PatternAnyEntities').updateExplicitListItem({
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

/** An app with everything in it, trained and published. */
export const seed: Seed = async (owner, app) => {
  const of = <Name extends keyof typeof contracts>(name: Name) => client(contracts[name], owner)
  const name = `Seeded ${randomUUID()}`
  const { body: appId } = await of('Apps').import({ query: { appName: name }, body: fileOf(document()) })
  const at = { appId, versionId: '0.1' }
  const { body: models } = await of('Models').list({ params: at, query: { take: 500 } })
  const idOf = (name: string) => models.find((one) => one.name === name)?.id ?? ''
  const childOf = (name: string) => String(models.find((one) => one.name === name)?.children?.[0]?.id)
  const known = {
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
    customEntityId: models.findLast((one) => one.name === 'Copied')?.id ?? '',
    roleId: (models.find((one) => one.name === 'Person')?.roles ?? [])[0]?.id ?? '',
    slotName: 'production',
    culture: 'en-us',
    domainName: 'Travel',
  }
  await writeApp(owner, at)
  await writeRoles(owner, known)
  await writeKinds(owner, known)
  const made = await writeAll(owner, known)
  const exampleId = await label(owner, at)
  await of('Training').trainVersion({ params: at })
  await app.jobs.drain()
  await of('Apps').publish({ params: at, body: { versionId: '0.1', isStaging: false } })
  const asked = client(prediction, owner)
  await asked.getSlotPrediction({ params: known, query: { log: true }, body: { query: 'a trip to Oslo' } })
  return { ...known, ...made, exampleId }
}
