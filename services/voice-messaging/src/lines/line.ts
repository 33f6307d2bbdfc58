import type { Blobs } from '@icosa/kernel'
import type { Audio } from '../speech/audio.ts'

/** One attempt to deliver a message. */
export interface Attempt {
  readonly tenant: string
  readonly messageId: string
  readonly number: string
  /** Number shown to the callee. */
  readonly caller: string | undefined
  /** Number that the call is placed from. */
  readonly owner: string | undefined
  readonly audio: Audio
  readonly blobs: Blobs
  /** Aborted when the worker loses its claim: the line hangs up. */
  readonly signal: AbortSignal
  /** Must be awaited before anything is sent, so that every call is recorded. */
  readonly onInitiated: () => Promise<void>
  readonly onRinging: () => void
  readonly onAnswered: () => void
}

export type CallEnd =
  | { readonly kind: 'completed'; readonly seconds: number; readonly endedBy: 'caller' | 'callee' }
  | { readonly kind: 'busy'; readonly reason: string }
  | { readonly kind: 'noAnswer'; readonly reason: string }
  /** `final`: a retry would fail, too. */
  | { readonly kind: 'failed'; readonly reason: string; readonly final: boolean }

/** Transport of calls. */
export type Line = (attempt: Attempt) => Promise<CallEnd>
