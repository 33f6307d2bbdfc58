/** A row written or deleted. Numbers become visible in order. */
export interface Change {
  readonly number: number
  readonly tenant: string
  readonly kind: 'podcast' | 'episode'
  readonly id: string
  readonly podcastId: string
  /** Deleting a podcast implies deleting its episodes. */
  readonly deleted: boolean
  /** A podcast's fields that its episodes show have changed. */
  readonly inherited: boolean
}
