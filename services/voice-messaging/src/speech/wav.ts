import { type Audio, sampleRate } from './audio.ts'

export interface Recording {
  readonly rate: number
  readonly samples: Int16Array
}

/** Parses mono 16-bit PCM; undefined for anything else. A size beyond the end is truncated. */
export function readWav(bytes: Buffer): Recording | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE') return undefined
  let rate = 0
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const content = bytes.subarray(at + 8, at + 8 + size)
    if (name === 'fmt ' && content.length >= 16) {
      const [format, channels, bits] = [content.readUInt16LE(0), content.readUInt16LE(2), content.readUInt16LE(14)]
      if (format !== 1 || channels !== 1 || bits !== 16) return undefined
      rate = content.readUInt32LE(4)
    }
    if (name === 'data') return rate > 0 ? { rate, samples: samplesOf(content) } : undefined
    at += 8 + size + (size % 2)
  }
  return undefined
}

function samplesOf(bytes: Buffer): Int16Array {
  const copy = new Uint8Array(bytes.subarray(0, bytes.length & ~1)) // aligned
  return new Int16Array(copy.buffer)
}

export function writeWav(audio: Audio, comment?: string): Buffer {
  const data = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  const info = comment === undefined ? Buffer.alloc(0) : commentChunk(comment)
  header.writeUInt32LE(36 + data.length + info.length, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data, info])
}

function commentChunk(comment: string): Buffer {
  const text = Buffer.from(`${comment}\0${comment.length % 2 ? '' : '\0'}`, 'latin1') // NUL-terminated, of even length
  const head = Buffer.from('LIST....INFOICMT....', 'latin1')
  head.writeUInt32LE(12 + text.length, 4)
  head.writeUInt32LE(text.length, 16)
  return Buffer.concat([head, text])
}
