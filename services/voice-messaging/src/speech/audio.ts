/** What a telephone line carries: one channel of 16-bit samples, 8,000 a second. */
export type Audio = Int16Array

export const sampleRate = 8_000

export const secondsOf = (audio: Audio) => audio.length / sampleRate

export const silence = (ms: number): Audio => new Int16Array(Math.round((ms / 1_000) * sampleRate))

export function joined(...parts: readonly Audio[]): Audio {
  const whole = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
