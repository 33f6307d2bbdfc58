/** A process that migrates and can be killed. Arguments: the URL of the database, the migrations as JSON. */
import { migrate, openDatabase } from '@icosa/kernel'

const [, , url = '', migrations = '[]'] = process.argv
const database = openDatabase({ url, maxConnections: 3, onError: () => {} })
await migrate(database, JSON.parse(migrations), { onWaiting: console.error })
await database.close()
