/**
 * The text of a feed. A byte order mark counts first, then what the document says of itself, then the header, as
 * long as the bytes bear it out: many feeds say one thing and are another. What is not UTF-8 and says nothing is read as
 * Western European.
 */
export function textOf(bytes: Uint8Array, contentType: string): string {
  const marked = markOf(bytes)
  if (marked) return decoderOf(marked)?.decode(bytes) ?? ''
  const opening = latin1.decode(bytes.subarray(0, 512))
  const said = [
    /^[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(opening)?.[1],
    /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1],
  ]
  for (const name of [...said, 'utf-8']) {
    // Without a mark, letters of one byte each at the start rule out the encodings that have two.
    if (name === undefined || /^utf-?(16|32)/i.test(name)) continue
    const text = strictly(bytes, name)
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

function strictly(bytes: Uint8Array, name: string): string | undefined {
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
    return undefined // an encoding that nobody knows
  }
}
