import { job } from '@icosa/kernel'
import { pruneRevocations, pruneSigningKeys, rotateWhenDue } from '@icosa/tokens'
import { forgetExpired } from './people/jobs.ts'
import * as artifacts from './provider/artifacts/store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const batchSize = 10_000

/** Rotates signing keys monthly, and deletes expired tokens and sessions. */
export const maintainIdentity = job<object>('maintainIdentity', {
  async run(_, { transaction, clock, cellVault }) {
    await rotateWhenDue({ transaction }, clock, cellVault, { everyMs: 30 * dayMs })
    await transaction(async (db) => {
      await pruneSigningKeys(db, clock)
      await pruneRevocations(db)
    })
    while ((await transaction((db) => artifacts.prune(db, clock.now(), batchSize))) === batchSize);
  },
})

export const schedules = [
  { job: maintainIdentity, everyMs: hourMs },
  { job: forgetExpired, everyMs: hourMs },
]
