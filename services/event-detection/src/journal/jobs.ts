import { job } from '@icosa/kernel'
import { forgetAnalyses } from '../analysis/store.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { forget } from './store.ts'

const batch = 5_000
const dayMs = 86_400_000

/** Forgets what is older than the journal reaches, and analyses of yesterday. */
export const forgetOld = ({ journalDays }: EventDetectionSettings) =>
  job<object>('forget', {
    async run(_, { transaction, clock, signal }) {
      const before = (days: number) => new Date(clock.now().getTime() - days * dayMs)
      await transaction((db) => forgetAnalyses(db, before(1)))
      while (!signal.aborted && (await transaction((db) => forget(db, before(journalDays), batch))) === batch);
    },
  })
