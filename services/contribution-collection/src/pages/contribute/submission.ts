import type { Static } from '@icosa/contract'
import { Failure, lazyValidator } from '@icosa/kernel'
import { ContributionSubmission } from '../../shapes/contract.ts'
import { maxZoom, type Place, placeAt, type View, viewOf } from '../map/map.ts'
import type { Fields } from './form.ts'

export type Submission = Static<typeof ContributionSubmission>

/** Values of a form, for redisplay. */
export interface Filled {
  readonly headline: string
  readonly body: string
  readonly attribution: string
  readonly placeName: string
  readonly latitude: string
  readonly longitude: string
  readonly hasConsent: boolean
  readonly view: View
}

const text = (fields: Fields, name: string) => (fields.get(name) ?? '').replaceAll('\r\n', '\n').trim()

export function filledBy(fields: Fields): Filled {
  const view = viewOf({ lat: fields.get('mapLat'), lng: fields.get('mapLng'), zoom: fields.get('mapZoom') })
  return {
    headline: text(fields, 'headline'),
    body: text(fields, 'body'),
    attribution: text(fields, 'attribution'),
    placeName: text(fields, 'placeName'),
    latitude: text(fields, 'latitude'),
    longitude: text(fields, 'longitude'),
    hasConsent: fields.get('consent') === 'yes',
    view,
  }
}

/** Size of the map in browsers without scripts. */
const size = { width: 288, height: 144 }

/** The form after a click on the map, with that place and a closer view of it; else undefined. */
export function pointed(fields: Fields): Filled | undefined {
  const [x, y] = [fields.get('map.x'), fields.get('map.y')]
  const filled = filledBy(fields)
  if (fields.get('map') === 'world') return { ...filled, latitude: '', longitude: '', view: viewOf({}) }
  if (x === undefined || y === undefined) return undefined
  const place = placeAt(filled.view, Number(x) / size.width || 0, Number(y) / size.height || 0)
  const zoom = Math.min(maxZoom, filled.view.zoom * 4)
  return { ...filled, latitude: String(place.latitude), longitude: String(place.longitude), view: { ...place, zoom } }
}

export function placeOf({ latitude, longitude }: Pick<Filled, 'latitude' | 'longitude'>): Place | undefined {
  if (latitude === '' && longitude === '') return undefined
  const place = { latitude: Number(latitude.replace(',', '.')), longitude: Number(longitude.replace(',', '.')) }
  const isPlace =
    latitude !== '' && longitude !== '' && Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180
  if (!isPlace)
    throw new Failure('invalid', 'Latitude must be from -90 to 90, longitude from -180 to 180. Enter both or neither.')
  return place
}

const check = lazyValidator(ContributionSubmission, 'body')

/** The form as an API submission. Validates it with messages for visitors. */
export function submissionOf(assignment: string, filled: Filled, media: readonly string[]): Submission {
  if (!filled.hasConsent) throw new Failure('invalid', 'Please confirm that this may be published.')
  const point = placeOf(filled)
  const name = filled.placeName
  const place = { ...(name !== '' && { name }), ...(point && { latLong: point }) }
  const submission: Submission = {
    assignment: { id: assignment },
    headline: filled.headline,
    ...(filled.body !== '' && { body: filled.body }),
    attribution: filled.attribution,
    ...(Object.keys(place).length > 0 && { place }),
    mediaUsages: media.map((id) => ({ media: { id } })),
  }
  const [wrong] = check(submission)
  if (wrong) throw new Failure('invalid', `${wrong.at.replace(/^body\/?/, '')} ${wrong.message}`)
  return submission
}
