import { boolean, group, setting, type ValuesOf, wholeNumber } from '@icosa/settings'

/** What an operator decides about faces. */
export const settings = group({
  identification: setting('ICOSA_FACE_IDENTIFICATION', boolean, {
    default: 'true',
    meaning:
      'Whether faces may be compared with those of known persons: `identify`, and `verify` with a person. Detection works without it.',
  }),
  canOmitAttributes: setting('ICOSA_FACE_OMIT_ATTRIBUTES', boolean, {
    default: 'false',
    meaning:
      'Whether attributes that are not built are left out of an answer, whose header `Omitted-Attributes` names them, where the photo would be refused with 501.',
  }),
  workers: setting('ICOSA_FACE_WORKERS', wholeNumber({ from: 1, to: 64, unit: 'processes' }), {
    otherwise: 'one more than the machine has cores',
    example: '4',
    meaning:
      'How many processes look at photos, each at one at a time. Each takes about 200 MB, and up to 400 MB once it has seen large photos.',
  }),
})

export interface FaceSettings extends ValuesOf<typeof settings> {
  /** Where the networks are kept, once they were converted. */
  readonly models: string
  /** Galleries of this size are searched by locality-sensitive hashing; smaller ones exhaustively. */
  readonly minFacesForLsh: number
  /** Whether there is a page to try it on: in development mode. */
  readonly hasPage: boolean
}

export const minFacesForLsh = 10_000

export const defaultSettings: FaceSettings = {
  ...settings.read({}),
  models: '.icosa/face-models',
  minFacesForLsh,
  hasPage: false,
}
