import { coverService } from '@icosa/testing/cover'
import { defaultSettings, languageAuthoring } from './index.ts'
import { seed } from './testing/seed.ts'

const idAlone = 'answers an id, by which it is then read'
const kinds = 'src/models/kinds.test.ts'
const features = 'src/features/features.test.ts'
const patterns = 'src/patterns/patterns.test.ts'
const notBuilt = `not built: ${kinds}`

coverService(languageAuthoring({ ...defaultSettings, predictors: 1 }), {
  seed,
  // What the platform has for everybody.
  creating: ['PrebuiltDomains_ListAvailableForCulture'],
  alike: [
    ...['List', 'Create', 'Get', 'Update', 'Delete'].map((name) => new RegExp(`Roles_${name}$`)),
    ...['List', 'Add', 'Replace', 'Delete'].map((name) => new RegExp(`^(Intent|Entity)Features_${name}$`)),
  ],
  fields: {
    Apps_Add: `${idAlone}: src/apps/apps.test.ts`,
    Permissions_Add: 'one of a list: src/apps/apps.test.ts',
    Permissions_Delete: 'takes one from a list: src/apps/apps.test.ts',
    Versions_Update: 'other requests would not find the version: src/versions/versions.test.ts',
    Intents_Add: `${idAlone}: ${kinds}`,
    Intents_Update: `names are unique: ${kinds}`,
    Entities_Add: `${idAlone}: ${kinds}`,
    Entities_AddChild: `${idAlone}: ${kinds}`,
    Entities_Update: `of a part, too: ${kinds}`,
    ClosedLists_Add: `${idAlone}: ${kinds}`,
    ClosedLists_Patch: `adds to what is there: ${kinds}`,
    ClosedLists_AddSubList: `${idAlone}: ${kinds}`,
    ClosedLists_UpdateSubList: `one of a list: ${kinds}`,
    CompositeEntities_AddChild: `${idAlone}: ${kinds}`,
    CompositeEntities_Update: `children are shown with their ids: ${kinds}`,
    PatternAnyEntities_Create: `${idAlone}: ${kinds}`,
    PatternAnyEntities_Update: `items are shown with their ids: ${kinds}`,
    PatternAnyEntities_UpdateExplicitListItem: `one of a list: ${kinds}`,
    RegexEntities_Create: `${idAlone}: ${kinds}`,
    PhraseLists_Add: `${idAlone}: ${features}`,
    IntentFeatures_Add: `one of a list: ${features}`,
    IntentFeatures_Delete: `takes one from a list: ${features}`,
    EntityFeatures_Add: `one of a list: ${features}`,
    EntityFeatures_Delete: `takes one from a list: ${features}`,
    Examples_Add: 'labels are shown by tokens: src/examples/examples.test.ts',
    Patterns_AddPattern: `one of a list: ${patterns}`,
    Patterns_UpdatePattern: `one of a list: ${patterns}`,
    Patterns_UpdatePatterns: `several at once: ${patterns}`,
    Patterns_BatchAddPatterns: `several at once: ${patterns}`,
    Patterns_DeletePatterns: `several at once: ${patterns}`,
    PrebuiltDomains_Add: notBuilt,
    PrebuiltDomains_AddApp: notBuilt,
    PrebuiltDomains_AddIntent: notBuilt,
    PrebuiltDomains_AddEntity: notBuilt,
  },
})
