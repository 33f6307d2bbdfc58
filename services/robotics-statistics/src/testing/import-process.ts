/** Imports a synthetic season in a process that a test can kill. */
import { openDatabase, systemClock } from '@icosa/kernel'
import { importSeason } from '../import/import.ts'
import { syntheticSeason } from '../synthetic/season.ts'

const [, , url = '', tenant = '', plan = '{}'] = process.argv
const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
await importSeason(database, tenant, syntheticSeason(JSON.parse(plan)), systemClock, ({ nth }) => process.send?.(nth))
await database.close()
process.disconnect?.()
