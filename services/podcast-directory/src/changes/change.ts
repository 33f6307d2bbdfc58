/** One thing that was written or deleted. Who has seen a number has seen all before it. */
export interface Change {
  readonly number: number
  readonly tenant: string
  readonly kind: 'podcast' | 'episode'
  readonly id: string
  readonly podcastId: string
  /** A podcast's deletion stands for that of its episodes. */
  readonly deleted: boolean
  /** Of a podcast: what its episodes show of it is another. */
  readonly inherited: boolean
}
