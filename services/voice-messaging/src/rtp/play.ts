import type { Socket } from 'node:dgram'
import { type MediaTarget, payloadTypes } from '../sip/sdp.ts'
import type { Audio } from '../speech/audio.ts'
import { aLaw, muLaw } from '../speech/g711.ts'
import type { Beat } from './beat.ts'
import { frameSamples, headerBytes, newNumbering, packetAt } from './packet.ts'

/** Later packets become silence: receivers would drop a burst of them. */
const maxLateMs = 100

export interface Playback {
  readonly socket: Socket
  readonly target: MediaTarget
  readonly audio: Audio
  readonly signal: AbortSignal
}

/** Sends a packet every 20 ms. Resolves after the last, or when aborted. */
export async function play(beat: Beat, { socket, target, audio, signal }: Playback): Promise<void> {
  const { address, port, payloadType } = target
  const law = payloadType === payloadTypes.aLaw ? aLaw : muLaw
  const numbering = newNumbering()
  const count = Math.ceil(audio.length / frameSamples)
  let index = 0
  let skipped = 0
  let marked = true // first packet after silence

  function frame(): Buffer {
    const packet = packetAt(numbering, { payloadType, index, samples: (index + skipped) * frameSamples, marked })
    const start = index * frameSamples
    for (let at = 0; at < frameSamples; at++) packet[headerBytes + at] = law.encode(audio[start + at] ?? 0)
    return packet
  }

  await new Promise<void>((resolve) => {
    beat.join((scheduledMs, nowMs) => {
      if (signal.aborted || index >= count) {
        resolve()
        return false
      }
      if (nowMs - scheduledMs > maxLateMs) {
        skipped++
        marked = true
        return true
      }
      socket.send(frame(), port, address, () => {})
      index++
      marked = false
      return true
    })
  })
}
