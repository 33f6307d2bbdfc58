/** Telephone audio: mono, 16 bits, 8,000 Hz. */
export type Audio = Int16Array

export const sampleRate = 8_000

export const secondsOf = (audio: Audio) => audio.length / sampleRate

export const silence = (ms: number): Audio => new Int16Array(Math.round((ms / 1_000) * sampleRate))

export function joined(...parts: readonly Audio[]): Audio {
  const result = new Int16Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    result.set(part, at)
    at += part.length
  }
  return result
}
