/** Request to the process, which ends after one. */
export interface KeeperRequest {
  readonly library: string
  readonly token: string
  readonly object: string | undefined
  /** One byte per character. */
  readonly id: string | undefined
  readonly pin: string
  readonly call: 'wrap' | 'unwrap'
  readonly data: Uint8Array
  /** Associated data, if the key supports it. */
  readonly context: string
}

/** Kinds of problems, by remedy. */
export const troubles = ['library', 'start', 'token', 'pin', 'lastTry', 'locked', 'key', 'refused', 'failed'] as const
export type Trouble = (typeof troubles)[number]

export type KeeperReply = { readonly value: Uint8Array } | { readonly trouble: Trouble; readonly detail: string }
