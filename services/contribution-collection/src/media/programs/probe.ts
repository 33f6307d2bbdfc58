import { Failure } from '@icosa/kernel'
import type { Position } from '../content/exif.ts'

/** Properties of a video or audio file. */
export interface Probe {
  /** In seconds; 0 if unknown. */
  readonly duration: number
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  /** After rotation. 0 without video. */
  readonly width: number
  readonly height: number
  readonly position: Position | undefined
}

interface Stream {
  readonly codec_type?: string
  readonly width?: number
  readonly height?: number
  readonly disposition?: { readonly attached_pic?: number }
  readonly side_data_list?: readonly { readonly rotation?: number }[]
  readonly tags?: Readonly<Record<string, string>>
}

const maxSide = 8_192
const maxSeconds = 12 * 3_600

export function readProbe(json: string): Probe {
  const { streams = [], format = {} } = JSON.parse(json) as {
    streams?: readonly Stream[]
    format?: { duration?: string; tags?: Readonly<Record<string, string>> }
  }
  // Cover art is a video stream, too.
  const film = streams.find(({ codec_type, disposition }) => codec_type === 'video' && !disposition?.attached_pic)
  const hasAudio = streams.some(({ codec_type }) => codec_type === 'audio')
  if (!film && !hasAudio) throw new Failure('invalid', 'The media file contains neither video nor audio.')
  const duration = Number(format.duration ?? 0) || 0
  const [wide = 0, high = 0] = [film?.width, film?.height]
  if (Math.max(wide, high) > maxSide)
    throw new Failure('invalid', `The film has ${wide} by ${high} pixels; the maximum is ${maxSide} by ${maxSide}.`)
  if (duration > maxSeconds) throw new Failure('invalid', 'The film is longer than twelve hours.')
  const isRotated =
    Math.abs(film?.side_data_list?.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0) % 180 === 90
  const [width, height] = isRotated ? [high, wide] : [wide, high]
  const tags = { ...film?.tags, ...format.tags }
  return { duration, hasVideo: film !== undefined, hasAudio, width, height, position: positionOf(tags) }
}

/** ISO 6709, as phones write it: +52.3731+004.8922+001.2/ */
function positionOf(tags: Readonly<Record<string, string>>): Position | undefined {
  const text = tags['com.apple.quicktime.location.ISO6709'] ?? tags.location ?? ''
  const [, latitude, longitude] = /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/.exec(text) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const position = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(position.latitude) <= 90 && Math.abs(position.longitude) <= 180 ? position : undefined
}
