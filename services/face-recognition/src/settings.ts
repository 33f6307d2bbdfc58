import { boolean, group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

export const settings = group({
  identification: setting('ICOSA_FACE_IDENTIFICATION', boolean, {
    default: 'true',
    meaning:
      'Whether faces may be compared with persons: `identify`, and `verify` with a person. Detection works without it.',
  }),
  canOmitAttributes: setting('ICOSA_FACE_OMIT_ATTRIBUTES', boolean, {
    default: 'false',
    meaning:
      'Whether unsupported attributes are omitted, and listed in the header `Omitted-Attributes`, instead of refused with 501.',
  }),
  workers: setting('ICOSA_FACE_WORKERS', wholeNumber({ from: 1, to: 64, unit: 'processes' }), {
    otherwise: 'one more than the machine has cores',
    example: '4',
    meaning:
      'Number of processes that analyse photos, one at a time each. Each takes about 200 MB, and up to 400 MB after large photos.',
  }),
})

export interface FaceSettings extends ValuesOf<typeof settings> {
  /** Folder of the converted networks. */
  readonly models: string
  /** Galleries of this size are searched by locality-sensitive hashing; smaller ones exhaustively. */
  readonly minFacesForLsh: number
  /** Whether to serve a page to try it; only in development mode. */
  readonly hasPage: boolean
}

export const minFacesForLsh = 10_000

export const defaultSettings: FaceSettings = {
  ...settings.read({}),
  models: '.icosa/face-models',
  minFacesForLsh,
  hasPage: false,
}
