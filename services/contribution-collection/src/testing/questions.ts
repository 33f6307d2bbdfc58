import { seededRandom } from '@icosa/testing'
import { countries, epoch, type Synthetic } from './synthetic.ts'

/** Generates queries with random filters, most of which have results. */
export function* queries(all: readonly Synthetic[], count: number, seed = 7): Generator<Record<string, string>> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const day = (nth: number) => new Date(epoch + nth * 86_400_000).toISOString()
  for (let nth = 0; nth < count; nth++) {
    const contribution = pick(all)
    const near = contribution.point ?? { latitude: 51.5, longitude: -0.12 }
    const date = Math.floor((contribution.createdAt.getTime() - epoch) / 86_400_000)
    const cell = contribution.cell ?? 'gcpvj0du6'
    const filters: Record<string, () => Record<string, string>> = {
      assignment: () => ({ assignment: random() < 0.95 ? contribution.assignment : 'nothing' }),
      country: () => ({ country: random() < 0.5 ? pick(countries) : pick(countries).toLowerCase() }),
      before: () => ({ createdBefore: day(date + Math.floor(random() * 60)) }),
      after: () => ({ createdAfter: day(date - Math.floor(random() * 60)) }),
      day: () => ({ createdDay: contribution.createdAt.toISOString().slice(0, 10) }),
      month: () => ({ createdMonth: contribution.createdAt.toISOString().slice(0, 7) }),
      geohash: () => ({
        geohash: [cell, ...(random() < 0.5 ? [pick(all).cell ?? 'u'] : [])]
          .map((hash) => hash.slice(0, 1 + Math.floor(random() * 6)))
          .join(','),
      }),
      hasLocation: () => ({ hasLocation: String(random() < 0.7) }),
      near: () => ({
        latLong: `${near.latitude.toFixed(4)},${near.longitude.toFixed(4)}`,
        ...(random() < 0.9 && { radius: String(Number((10 ** (random() * 4 - 0.5)).toFixed(2))) }),
      }),
      mediaType: () => ({ mediaType: pick(['image', 'video', 'audio']) }),
      ownedBy: () => ({ ownedBy: contribution.owner }),
      q: () => ({ q: pick(contribution.words) + (random() < 0.3 ? ` ${pick(contribution.words).toUpperCase()}` : '') }),
      urlWords: () => ({ urlWords: contribution.urlWords }),
      user: () => ({ user: contribution.author }),
      ids: () => ({ ids: [contribution.id, pick(all).id, 'x'].join(',') }),
      state: () => ({ state: pick(['any', 'pending', 'approved,rejected']) }),
    }
    const names = Object.keys(filters).filter((name) => random() < (/urlWords|ids|day/.test(name) ? 0.05 : 0.2))
    yield Object.assign({}, ...names.map((name) => filters[name]?.()))
  }
}
