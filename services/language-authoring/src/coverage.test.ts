import { coverService } from '@icosa/testing/cover'
import { defaultSettings, languageAuthoring } from './index.ts'
import { seed } from './testing/seed.ts'

const kinds = 'src/models/kinds.test.ts'
const apps = 'src/apps/apps.test.ts'

coverService(languageAuthoring({ ...defaultSettings, predictors: 1 }), {
  seed,
  // The same for all tenants.
  creating: ['PrebuiltDomains_ListAvailableForCulture'],
  alike: [
    ...['List', 'Create', 'Get', 'Update', 'Delete'].map((name) => new RegExp(`Roles_${name}$`)),
    ...['List', 'Add', 'Replace', 'Delete'].map((name) => new RegExp(`^(Intent|Entity)Features_${name}$`)),
  ],
  fields: {
    'Apps_Add initialVersionId': `is shown as activeVersion: ${apps}`,
    'Permissions_Add email': `one of a list: ${apps}`,
    Versions_Update: 'other requests would not find the version: src/versions/versions.test.ts',
    'ClosedLists_Patch subLists': `adds to existing ones: ${kinds}`,
    'Examples_Add intentName|Examples_Add entityLabels':
      'are shown as intentLabel, and by tokens: src/examples/examples.test.ts',
    'PrebuiltDomains_Add*': `not supported: ${kinds}`,
  },
})
