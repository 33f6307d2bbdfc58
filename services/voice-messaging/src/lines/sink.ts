import { secondsOf } from '../speech/audio.ts'
import { writeWav } from '../speech/wav.ts'
import type { Line } from './line.ts'

/** Blob key of a simulated call's recording. */
export const recordingKey = (messageId: string) => `${messageId}.wav`

const comment = 'A simulated call: nobody was called.'

/** Simulates a call that is answered immediately, and records the audio. */
export const sinkLine: Line = async ({ messageId, audio, blobs, onInitiated, onRinging, onAnswered }) => {
  await onInitiated()
  onRinging()
  onAnswered()
  await blobs.put(recordingKey(messageId), writeWav(audio, comment), { contentType: 'audio/wav' })
  return { kind: 'completed', seconds: secondsOf(audio), endedBy: 'caller' }
}
