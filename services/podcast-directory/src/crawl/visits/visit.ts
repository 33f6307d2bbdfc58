export type VisitKind = 'feed' | 'artwork' | 'transcript'

/** Something that the crawler is to fetch. */
export interface Visit {
  readonly tenant: string
  readonly kind: VisitKind
  /** Of the podcast, or of the transcript's episode. */
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

/** Host and port: the place that gets one request at a time. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? ''
