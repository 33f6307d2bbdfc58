import type { Resource } from '@icosa/kernel'
import { apps } from './apps/handlers.ts'
import { permissions } from './apps/permissions.ts'
import { composites } from './composites/handlers.ts'
import { entities } from './entities/handlers.ts'
import { examples } from './examples/handlers.ts'
import { suggestions } from './examples/suggestions.ts'
import { phraseLists } from './features/handlers.ts'
import { entityFeatures, intentFeatures } from './features/relations.ts'
import { hierarchicals } from './hierarchicals/handlers.ts'
import { intents } from './intents/handlers.ts'
import { lists } from './lists/handlers.ts'
import { domains } from './models/domains.ts'
import { models } from './models/handlers.ts'
import { patternAny } from './pattern-any/handlers.ts'
import { patterns } from './patterns/handlers.ts'
import { prebuilts } from './prebuilts/handlers.ts'
import { regexes } from './regexes/handlers.ts'
import { roleResources } from './roles/handlers.ts'
import type { ServiceRuntime } from './runtime.ts'
import { training } from './training/handlers.ts'
import { unbuilt } from './unbuilt/handlers.ts'
import { versionSettings } from './version-settings/handlers.ts'
import { versions } from './versions/handlers.ts'

/** Resources of the authoring API. */
export const authoring = (baseUrl: string): Record<string, Resource<ServiceRuntime>> => ({
  Apps: apps(baseUrl),
  Permissions: permissions,
  Versions: versions(baseUrl),
  VersionSettings: versionSettings,
  PhraseLists: phraseLists,
  Examples: examples,
  Intents: intents,
  IntentFeatures: intentFeatures,
  Entities: entities,
  EntityFeatures: entityFeatures,
  HierarchicalEntities: hierarchicals,
  CompositeEntities: composites,
  ClosedLists: lists,
  Prebuilts: prebuilts,
  RegexEntities: regexes,
  PatternAnyEntities: patternAny,
  ...roleResources,
  Patterns: patterns,
  Models: models,
  PrebuiltDomains: domains,
  Suggestions: suggestions,
  Training: training,
  Unbuilt: unbuilt,
})
