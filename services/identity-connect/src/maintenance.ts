import { job } from '@icosa/kernel'
import { pruneRevocations, pruneSigningKeys, rotateWhenDue } from '@icosa/tokens'
import { forgetExpired } from './people/jobs.ts'
import * as artifacts from './provider/artifacts/store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const batch = 10_000

/** New signing keys every month, and an end to tokens and sessions that have expired. */
export const maintainIdentity = job<object>('maintainIdentity', {
  async run(_, { transaction, clock, vault }) {
    await rotateWhenDue({ transaction }, clock, vault, { everyMs: 30 * dayMs })
    await transaction(async (db) => {
      await pruneSigningKeys(db, clock)
      await pruneRevocations(db)
    })
    while ((await transaction((db) => artifacts.prune(db, clock.now(), batch))) === batch);
  },
})

export const schedules = [
  { job: maintainIdentity, everyMs: hourMs },
  { job: forgetExpired, everyMs: hourMs },
]
