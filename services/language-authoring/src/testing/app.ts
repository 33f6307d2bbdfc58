import { client } from '@icosa/client'
import { startTestApp, type TestApp } from '@icosa/testing'
import { contracts, olderPrediction, prediction } from '../contract.ts'
import { defaultSettings, type LanguageSettings, languageAuthoring } from '../index.ts'
import { keyHeaders, serviceName } from '../names.ts'

export const start = (settings: Partial<LanguageSettings> = {}) =>
  startTestApp(languageAuthoring({ ...defaultSettings, predictors: 1, ...settings }))

export const fileOf = (document: object | string) => ({
  mediaType: typeof document === 'string' ? 'text/plain' : 'application/json',
  content: Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)),
})

/** Clients for a tenant. */
export async function callersOf(app: TestApp, tenant = 'acme') {
  const target = { baseUrl: `${app.url}/${serviceName}`, headers: { [keyHeaders[0]]: await app.key(tenant) } }
  return {
    apps: client(contracts.Apps, target),
    permissions: client(contracts.Permissions, target),
    versions: client(contracts.Versions, target),
    settings: client(contracts.VersionSettings, target),
    phraseLists: client(contracts.PhraseLists, target),
    examples: client(contracts.Examples, target),
    intents: client(contracts.Intents, target),
    intentFeatures: client(contracts.IntentFeatures, target),
    entities: client(contracts.Entities, target),
    entityFeatures: client(contracts.EntityFeatures, target),
    roles: client(contracts.EntityRoles, target),
    hierarchicals: client(contracts.HierarchicalEntities, target),
    composites: client(contracts.CompositeEntities, target),
    lists: client(contracts.ClosedLists, target),
    prebuilts: client(contracts.Prebuilts, target),
    regexes: client(contracts.RegexEntities, target),
    patternAny: client(contracts.PatternAnyEntities, target),
    patterns: client(contracts.Patterns, target),
    models: client(contracts.Models, target),
    domains: client(contracts.PrebuiltDomains, target),
    suggestions: client(contracts.Suggestions, target),
    training: client(contracts.Training, target),
    prediction: client(prediction, target),
    older: client(olderPrediction, target),
  }
}

export type Callers = Awaited<ReturnType<typeof callersOf>>

/** Creates an app; returns the parameters of its calls. */
export async function newApp({ apps }: Callers, name = 'Travel') {
  const { body: appId } = await apps.add({ body: { name, culture: 'en-us' } })
  return { appId, versionId: '0.1' }
}

/** Trains and publishes a version. */
export async function trainAndPublish(
  app: TestApp,
  calls: Callers,
  at: { readonly appId: string; readonly versionId: string },
) {
  await calls.training.trainVersion({ params: at })
  await app.jobs.drain()
  await calls.apps.publish({ params: at, body: { versionId: at.versionId, isStaging: false } })
}
