/** Metadata of an exported picture. */
export interface Caption {
  readonly headline: string
  readonly description: string
  readonly credit: string
  readonly created: Date
  /** Name of the place. */
  readonly place: string
  /** Two letters. */
  readonly country: string
  readonly latitude: number | undefined
  readonly longitude: number | undefined
  /** Id of the contribution. */
  readonly id: string
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** English name; empty for unknown codes. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? '') : '')
