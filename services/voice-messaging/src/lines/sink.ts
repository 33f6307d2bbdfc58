import { secondsOf } from '../speech/audio.ts'
import { writeWav } from '../speech/wav.ts'
import type { Line } from './line.ts'

/** Where an operator finds what was said. */
export const recordingKey = (messageId: string) => `${messageId}.wav`

/** Answers every call at once, and keeps what a listener would hear. */
export const sinkLine: Line = async ({ messageId, audio, blobs, onInitiated, onRinging, onAnswered }) => {
  await onInitiated()
  onRinging()
  onAnswered()
  await blobs.put(recordingKey(messageId), writeWav(audio), { contentType: 'audio/wav' })
  return { kind: 'completed', seconds: secondsOf(audio), endedBy: 'caller' }
}
