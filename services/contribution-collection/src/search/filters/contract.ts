import { extension, Type } from '@icosa/contract'

const { Optional } = Type
const text = (maxLength: number, description?: string) =>
  Optional(Type.String({ maxLength, ...(description && { description }) }))
export const moment = text(40, 'A date (midnight UTC), or a date and time with a time zone.')

/** The filters that lists, refinements, exports and their summaries share. */
export const filterQuery = {
  assignment: text(200),
  country: text(2, 'A two-letter code.'),
  createdBefore: moment,
  createdAfter: moment,
  geohash: text(2_000, 'One or more comma-separated geohashes.'),
  hasLocation: Optional(Type.Boolean({ description: 'Whether its place has a point; a country is not enough.' })),
  latLong: text(60, 'Comma-separated latitude and longitude.'),
  radius: Optional(Type.Number({ minimum: 0, maximum: 20_040, description: 'In kilometres, around latLong.' })),
  mediaType: text(20, 'image, video or audio.'),
  ownedBy: text(200),
  q: text(200, 'Words that the headline must contain, all of them.'),
  urlWords: text(300),
  user: text(200),
  state: extension(
    text(200, 'Comma-separated states, or any: also returns non-public contributions that the caller may see.'),
  ),
}
