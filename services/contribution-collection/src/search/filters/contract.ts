import { extension, Type } from '@icosa/contract'

const { Optional } = Type
const text = (maxLength: number, description?: string) =>
  Optional(Type.String({ maxLength, ...(description && { description }) }))
export const moment = text(40, 'A date, which is its midnight in UTC, or a date and time with its zone.')

/** The filters that lists, refinements, exports and their summaries share. */
export const filterQuery = {
  assignment: text(200),
  country: text(2, 'A two-letter code.'),
  createdBefore: moment,
  createdAfter: moment,
  geohash: text(2_000, 'One geohash, or several with commas between them.'),
  hasLocation: Optional(Type.Boolean({ description: 'Whether its place has a point; a country alone is none.' })),
  latLong: text(60, 'Latitude and longitude with a comma between them.'),
  radius: Optional(Type.Number({ minimum: 0, maximum: 20_040, description: 'In kilometres, around latLong.' })),
  mediaType: text(20, 'image, video or audio.'),
  ownedBy: text(200),
  q: text(200, 'Words that the headline has, all of them.'),
  urlWords: text(300),
  user: text(200),
  state: extension(
    text(200, 'States with commas between them, or any: also what is not public, as far as the caller may see it.'),
  ),
}
