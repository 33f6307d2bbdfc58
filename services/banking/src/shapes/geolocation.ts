import type { Static } from '@icosa/contract'
import { headerNames } from '../names.ts'
import type { Geolocation } from './contract.ts'

type PlaceHeaders = { readonly [K in (typeof headerNames.geolocation)[number]]?: string }

/** The caller's location from its header; all zeros mean unknown. */
export function placeIn(headers: PlaceHeaders): { readonly geolocation?: Static<typeof Geolocation> } {
  const text = headers[headerNames.geolocation[0]] ?? headers[headerNames.geolocation[1]] ?? ''
  const [longitude = '0', latitude = '0', altitude = '0', radius = '0'] = text.trim().split(' ')
  if ([longitude, latitude, altitude, radius].every((part) => Number(part) === 0)) return {}
  return { geolocation: { latitude, longitude, altitude, radius: Math.round(Number(radius)) } }
}
