/**
 * Decodes a feed by its byte order mark, its XML declaration or the header, in this order, ignoring those that the bytes
 * contradict, as in many feeds. The fallback is UTF-8, then Windows-1252.
 */
export function textOf(bytes: Uint8Array, contentType: string): string {
  const mark = markOf(bytes)
  if (mark) return decoderOf(mark)?.decode(bytes) ?? ''
  const opening = latin1.decode(bytes.subarray(0, 512))
  const declared = [
    /^[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(opening)?.[1],
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1],
  ]
  for (const name of [...declared, 'utf-8']) {
    // Without a byte order mark, single-byte letters at the start rule out UTF-16 and UTF-32.
    if (name === undefined || /^utf-?(16|32)/i.test(name)) continue
    const text = decodeStrictly(bytes, name)
    if (text !== undefined) return text
  }
  return latin1.decode(bytes)
}

const latin1 = new TextDecoder('windows-1252')

function markOf([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0x3c && second === 0) return 'utf-16le'
  return first === 0 && second === 0x3c ? 'utf-16be' : undefined
}

function decodeStrictly(bytes: Uint8Array, name: string): string | undefined {
  try {
    return decoderOf(name, true)?.decode(bytes)
  } catch {
    return undefined
  }
}

function decoderOf(name: string, fatal = false) {
  try {
    return new TextDecoder(name, { fatal })
  } catch {
    return undefined // an unknown encoding
  }
}
