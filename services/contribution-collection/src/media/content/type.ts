/** Media type, detected from the first bytes. The client's type is ignored. */
export interface MediaType {
  readonly kind: 'image' | 'video' | 'audio'
  readonly contentType: string
  readonly extension: string
}

type Test = (head: Buffer) => boolean

/** Number of bytes that the tests need. */
export const headLength = 64

const at =
  (offset: number, bytes: string): Test =>
  (head) =>
    head.subarray(offset, offset + bytes.length).equals(Buffer.from(bytes, 'latin1'))
const all =
  (...tests: readonly Test[]): Test =>
  (head) =>
    tests.every((test) => test(head))
const any =
  (...tests: readonly Test[]): Test =>
  (head) =>
    tests.some((test) => test(head))

/** Major and compatible brands of an ISO base media file. */
function brandsOf(head: Buffer): { major: string; all: string[] } | undefined {
  if (head.length < 12 || head.toString('latin1', 4, 8) !== 'ftyp') return undefined
  const end = Math.min(head.readUInt32BE(0), head.length)
  const compatible: string[] = []
  for (let offset = 16; offset + 4 <= end; offset += 4) compatible.push(head.toString('latin1', offset, offset + 4))
  const major = head.toString('latin1', 8, 12)
  return { major, all: [major, ...compatible] }
}
const major =
  (...names: readonly string[]): Test =>
  (head) =>
    names.includes(brandsOf(head)?.major ?? '')
const brand =
  (...names: readonly string[]): Test =>
  (head) =>
    brandsOf(head)?.all.some((name) => names.includes(name)) ?? false

/** MPEG audio without ID3: eleven bits of sync, no reserved version, layer, bitrate or sampling rate. */
const mpegAudioFrame: Test = (head) => {
  const [first = 0, second = 0, third = 0] = head
  const isSync = first === 0xff && (second & 0xe0) === 0xe0
  return isSync && (second & 0x18) !== 0x08 && (second & 0x06) === 0x02 && third >> 4 !== 15 && (third & 0x0c) !== 0x0c
}
const matroska = at(0, '\x1a\x45\xdf\xa3')
const docType =
  (name: string): Test =>
  (head) =>
    head.includes(`\x42\x82${String.fromCharCode(0x80 | name.length)}${name}`, 0, 'latin1')

/** Tested in this order. */
const types: readonly (readonly [MediaType['kind'], string, string, Test])[] = [
  ['image', 'image/jpeg', 'jpg', at(0, '\xff\xd8\xff')],
  ['image', 'image/png', 'png', at(0, '\x89PNG\r\n\x1a\n')],
  ['image', 'image/gif', 'gif', any(at(0, 'GIF87a'), at(0, 'GIF89a'))],
  ['image', 'image/webp', 'webp', all(at(0, 'RIFF'), at(8, 'WEBP'))],
  ['image', 'image/tiff', 'tif', any(at(0, 'II*\0'), at(0, 'MM\0*'))],
  ['image', 'image/avif', 'avif', brand('avif', 'avis')],
  ['image', 'image/heic', 'heic', brand('heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1')],
  ['audio', 'audio/mp4', 'm4a', major('M4A ', 'M4B ')],
  ['video', 'video/quicktime', 'mov', major('qt  ')],
  ['video', 'video/3gpp', '3gp', brand('3gp4', '3gp5', '3gp6', '3gp7', '3g2a', '3g2b')],
  ['video', 'video/mp4', 'mp4', brand('isom', 'iso2', 'iso4', 'iso5', 'iso6', 'mp41', 'mp42', 'avc1', 'dash', 'M4V ')],
  ['video', 'video/webm', 'webm', all(matroska, docType('webm'))],
  ['video', 'video/x-matroska', 'mkv', all(matroska, docType('matroska'))],
  ['video', 'video/x-msvideo', 'avi', all(at(0, 'RIFF'), at(8, 'AVI '))],
  ['video', 'video/mpeg', 'mpg', at(0, '\0\0\x01\xba')],
  ['audio', 'audio/wav', 'wav', all(at(0, 'RIFF'), at(8, 'WAVE'))],
  ['audio', 'audio/ogg', 'ogg', at(0, 'OggS')],
  ['audio', 'audio/flac', 'flac', at(0, 'fLaC')],
  ['audio', 'audio/amr', 'amr', at(0, '#!AMR')],
  ['audio', 'audio/mpeg', 'mp3', any(at(0, 'ID3'), mpegAudioFrame)],
]

/** For error messages. */
export const accepted =
  'JPEG, PNG, GIF, WebP, TIFF, AVIF, HEIC, MP4, QuickTime, 3GP, WebM, Matroska, AVI, MPEG, M4A, WAV, Ogg, FLAC, AMR or MP3'

export function typeOf(head: Buffer): MediaType | undefined {
  const type = types.find(([, , , test]) => test(head))
  return type && { kind: type[0], contentType: type[1], extension: type[2] }
}

export const extensionOf = (contentType: string): string => types.find(([, type]) => type === contentType)?.[2] ?? 'bin'
