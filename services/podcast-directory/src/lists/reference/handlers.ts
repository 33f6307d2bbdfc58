import type { Static } from '@icosa/contract'
import { implement, ok } from '@icosa/kernel'
import { everything, type Genre, genres } from '../../podcasts/genres.ts'
import { languages } from '../../podcasts/languages.ts'
import { regions } from '../../podcasts/regions.ts'
import { reference as contract, type Genre as GenreSchema } from './contract.ts'

export const toGenre = ({ id, name, parentId }: Genre): Static<typeof GenreSchema> => ({
  id,
  name,
  parent_id: parentId,
})

const all = genres.map(toGenre)
const topLevel = all.filter(({ parent_id }) => parent_id === everything.id)

export const reference = implement(contract, {
  getGenres: async ({ query }) => ok({ genres: query.top_level_only === 1 ? topLevel : all }),
  getRegions: async () => ok({ regions: { ...regions } }),
  getLanguages: async () => ok({ languages: ['Any language', ...languages] }),
})
