import { secondsOf } from '../speech/audio.ts'
import { writeWav } from '../speech/wav.ts'
import type { Line } from './line.ts'

/** Where an operator finds what was said. */
export const recordingKey = (messageId: string) => `${messageId}.wav`

const comment = 'A simulated call: nobody was called.'

/** Simulates a call: it is answered at once, and what a callee would have heard is recorded. */
export const sinkLine: Line = async ({ messageId, audio, blobs, onInitiated, onRinging, onAnswered }) => {
  await onInitiated()
  onRinging()
  onAnswered()
  await blobs.put(recordingKey(messageId), writeWav(audio, comment), { contentType: 'audio/wav' })
  return { kind: 'completed', seconds: secondsOf(audio), endedBy: 'caller' }
}
