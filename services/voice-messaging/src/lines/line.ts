import type { Blobs } from '@icosa/kernel'
import type { Audio } from '../speech/audio.ts'

/** One attempt to speak to somebody. */
export interface Attempt {
  readonly tenant: string
  readonly messageId: string
  readonly number: string
  /** The number that is shown, and the one that it is sent from. */
  readonly caller: string | undefined
  readonly owner: string | undefined
  readonly audio: Audio
  readonly blobs: Blobs
  /** Aborts when the worker has lost the call: it hangs up. */
  readonly signal: AbortSignal
  /** To be awaited before anything goes out: nobody is called without a trace. */
  readonly onInitiated: () => Promise<void>
  readonly onRinging: () => void
  readonly onAnswered: () => void
}

/** How an attempt ended. */
export type CallEnd =
  | { readonly kind: 'completed'; readonly seconds: number; readonly endedBy: 'caller' | 'callee' }
  | { readonly kind: 'busy'; readonly reason: string }
  | { readonly kind: 'noAnswer'; readonly reason: string }
  /** `final`: it would fail again. */
  | { readonly kind: 'failed'; readonly reason: string; readonly final: boolean }

/** By which calls go out. */
export type Line = (attempt: Attempt) => Promise<CallEnd>
