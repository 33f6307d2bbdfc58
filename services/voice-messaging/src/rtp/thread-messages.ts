import type { MediaTarget } from '../sip/sdp.ts'
import type { Audio } from '../speech/audio.ts'
import type { PortRange } from './media.ts'

export interface ThreadData {
  readonly ports: PortRange
}

/** An order for the audio thread about a call. */
export type Order = { readonly call: number } & (
  | { readonly kind: 'open'; readonly address: string }
  | { readonly kind: 'play'; readonly target: MediaTarget; readonly audio: Audio }
  | { readonly kind: 'stop' }
  | { readonly kind: 'close' }
)

/** Response to `open` and `play`. */
export type Report = { readonly call: number } & (
  | { readonly kind: 'opened'; readonly port: number }
  | { readonly kind: 'played' }
  | { readonly kind: 'failed'; readonly reason: string }
)
