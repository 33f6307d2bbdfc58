import { apps, permissions } from './apps/contract.ts'
import { composites } from './composites/contract.ts'
import { entities } from './entities/contract.ts'
import { examples, suggestions } from './examples/contract.ts'
import { entityFeatures, intentFeatures, phraseLists } from './features/contract.ts'
import { hierarchicals } from './hierarchicals/contract.ts'
import { intents } from './intents/contract.ts'
import { lists } from './lists/contract.ts'
import { domains, models } from './models/contract.ts'
import { patternAny } from './pattern-any/contract.ts'
import { patterns } from './patterns/contract.ts'
import { prebuilts } from './prebuilts/contract.ts'
import { olderPrediction, prediction } from './prediction/contract.ts'
import { regexes } from './regexes/contract.ts'
import { roleKinds, rolesContract } from './roles/contract.ts'
import { training } from './training/contract.ts'
import { unbuilt } from './unbuilt/contract.ts'
import { versionSettings } from './version-settings/contract.ts'
import { versions } from './versions/contract.ts'

export const contracts = {
  Apps: apps,
  Permissions: permissions,
  Versions: versions,
  VersionSettings: versionSettings,
  PhraseLists: phraseLists,
  Examples: examples,
  Intents: intents,
  IntentFeatures: intentFeatures,
  Entities: entities,
  EntityFeatures: entityFeatures,
  EntityRoles: rolesContract(roleKinds.EntityRoles),
  HierarchicalEntities: hierarchicals,
  CompositeEntities: composites,
  ClosedLists: lists,
  Prebuilts: prebuilts,
  RegexEntities: regexes,
  PatternAnyEntities: patternAny,
  Patterns: patterns,
  Models: models,
  PrebuiltDomains: domains,
  Suggestions: suggestions,
  Training: training,
  Unbuilt: unbuilt,
}

export { olderPrediction, prediction }
