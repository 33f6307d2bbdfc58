/** What the process is asked: one thing, and then it ends. */
export interface Asked {
  readonly library: string
  readonly token: string
  readonly object: string | undefined
  /** A byte for each character. */
  readonly id: string | undefined
  readonly pin: string
  readonly call: 'wrap' | 'unwrap'
  readonly data: Uint8Array
  /** What is bound to it, where the key can do that. */
  readonly context: string
}

/** What is wrong, for those who are to mend it. */
export const troubles = ['library', 'start', 'token', 'pin', 'lastTry', 'locked', 'key', 'refused', 'failed'] as const
export type Trouble = (typeof troubles)[number]

export type Told = { readonly value: Uint8Array } | { readonly trouble: Trouble; readonly detail: string }
