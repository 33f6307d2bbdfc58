/** What is written into a picture of an export, so that it can be told from others years later. */
export interface Caption {
  readonly headline: string
  readonly description: string
  readonly credit: string
  readonly created: Date
  /** The name of the place, as it was given. */
  readonly place: string
  /** Two letters. */
  readonly country: string
  readonly latitude: number | undefined
  readonly longitude: number | undefined
  /** Under which the service knows the contribution. */
  readonly id: string
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** In English; nothing for a code that is no country's. */
export const countryName = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? '') : '')
