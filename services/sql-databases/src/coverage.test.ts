import { coverService } from '@icosa/testing/cover'
import { dropPhysical, testService } from './testing/app.ts'
import { seed } from './testing/seed.ts'

const restored = 'not stored: tests/backups/restores.test.ts'
const defaultOnly = 'only the default is accepted: src/configuration/unsupported.test.ts'

coverService(testService(), {
  seed,
  fields: {
    FirewallRules_CreateOrUpdate: 'rejected: src/servers/servers.test.ts',
    'Servers_CreateOrUpdate identity': 'rejected: src/servers/servers.test.ts',
    Queries_Run: 'an action: src/queries/queries.test.ts',
    Databases_Rename: 'an action: src/databases/databases.test.ts',
    '*.createMode': 'not stored: src/databases/copy.test.ts',
    '*.sourceDatabaseId': 'not stored: src/databases/copy.test.ts',
    '*.recoverableDatabaseId': restored,
    '*.restorableDroppedDatabaseId': restored,
    '*.restorePointInTime': restored,
    '*.sourceDatabaseDeletionDate': restored,
    '*.sampleName': 'of a new database only: src/samples/samples.test.ts',
    '*.autoPauseDelay': defaultOnly,
    '*.readReplicaCount': defaultOnly,
    '* sku.size': 'repeats the name, or is rejected: src/configuration/levels.test.ts',
  },
  cleanUp: ({ platform }) => dropPhysical(platform.database),
})
