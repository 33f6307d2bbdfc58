import type { Seed } from '@icosa/testing'
import { importSeason } from '../import/import.ts'
import { syntheticSeason } from '../synthetic/season.ts'

/** Imports a small synthetic season. */
export const seed: Seed = async (_, app) => {
  const { database, clock } = app.platform
  await importSeason(database, 'owner', syntheticSeason({ season: 2026, events: 2, teams: 120, rounds: 3 }), clock)
  return { season: '2026', eventCode: 'SY001', teamNumber: '1', tournamentLevel: 'qual' }
}
