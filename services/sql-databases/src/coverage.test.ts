import { coverService } from '@icosa/testing/cover'
import { dropPhysical, testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const asNone = 'taken where it is the same as none: src/configuration/unsupported.test.ts'

coverService(testService(), {
  seed,
  fields: {
    FirewallRules_CreateOrUpdate: 'refused: src/servers/servers.test.ts',
    'Servers_CreateOrUpdate identity': 'refused: src/servers/servers.test.ts',
    Databases_Rename: 'an action: src/databases/databases.test.ts',
    '*.createMode': 'not kept: src/databases/copy.test.ts',
    '*.sourceDatabaseId': 'not kept: src/databases/copy.test.ts',
    '*.autoPauseDelay': asNone,
    '*.readReplicaCount': asNone,
    '* sku.size': 'the name once more, or refused: src/configuration/levels.test.ts',
  },
  cleanUp: ({ platform }) => dropPhysical(platform.database),
})
