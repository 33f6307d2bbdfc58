import type { MediaTarget } from '../sip/sdp.ts'
import type { Audio } from '../speech/audio.ts'
import type { PortRange } from './media.ts'

/** What the thread that speaks is started with. */
export interface ThreadData {
  readonly ports: PortRange
}

/** What the thread gets about a call, which is known by a number. */
export type Order = { readonly call: number } & (
  | { readonly kind: 'open'; readonly address: string }
  | { readonly kind: 'play'; readonly target: MediaTarget; readonly audio: Audio }
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' }
)

/** What it answers to `open` and `play`. */
export type Report = { readonly call: number } & (
  | { readonly kind: 'opened'; readonly port: number }
  | { readonly kind: 'played' }
  | { readonly kind: 'failed'; readonly reason: string }
)
