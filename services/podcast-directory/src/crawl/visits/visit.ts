export type VisitKind = 'feed' | 'artwork' | 'transcript'

/** A resource for the crawler to fetch. */
export interface Visit {
  readonly tenant: string
  readonly kind: VisitKind
  /** Id of the podcast, or of the transcript's episode. */
  readonly id: string
  readonly url: string
  readonly host: string
  readonly hops: number
  readonly movingTo: string | null
  readonly etag: string | null
  readonly lastModified: string | null
  readonly digest: string | null
  readonly failures: number
}

export type VisitKey = Pick<Visit, 'tenant' | 'kind' | 'id'>

/** Host and port, the unit of rate limiting. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''
