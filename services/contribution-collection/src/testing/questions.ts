import { seededRandom } from '@icosa/testing'
import { countries, epoch, type Synthetic } from './synthetic.ts'

/** Requests with any filters together, of which most find something. */
export function* queries(all: readonly Synthetic[], count: number, seed = 7): Generator<Record<string, string>> {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const day = (nth: number) => new Date(epoch + nth * 86_400_000).toISOString()
  for (let nth = 0; nth < count; nth++) {
    const one = pick(all)
    const near = one.point ?? { latitude: 51.5, longitude: -0.12 }
    const date = Math.floor((one.createdAt.getTime() - epoch) / 86_400_000)
    const cell = one.cell ?? 'gcpvj0du6'
    const filters: Record<string, () => Record<string, string>> = {
      assignment: () => ({ assignment: random() < 0.95 ? one.assignment : 'nothing' }),
      country: () => ({ country: random() < 0.5 ? pick(countries) : pick(countries).toLowerCase() }),
      before: () => ({ createdBefore: day(date + Math.floor(random() * 60)) }),
      after: () => ({ createdAfter: day(date - Math.floor(random() * 60)) }),
      day: () => ({ createdDay: one.createdAt.toISOString().slice(0, 10) }),
      month: () => ({ createdMonth: one.createdAt.toISOString().slice(0, 7) }),
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
      ownedBy: () => ({ ownedBy: one.owner }),
      q: () => ({ q: pick(one.words) + (random() < 0.3 ? ` ${pick(one.words).toUpperCase()}` : '') }),
      urlWords: () => ({ urlWords: one.urlWords }),
      user: () => ({ user: one.author }),
      ids: () => ({ ids: [one.id, pick(all).id, 'x'].join(',') }),
      state: () => ({ state: pick(['any', 'pending', 'approved,rejected']) }),
    }
    const names = Object.keys(filters).filter((name) => random() < (/urlWords|ids|day/.test(name) ? 0.05 : 0.2))
    yield Object.assign({}, ...names.map((name) => filters[name]?.()))
  }
}
