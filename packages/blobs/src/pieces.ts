/** The content as bytes, piece by piece, whatever it was given as. */
export async function* piecesOf(body: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  // A stream of text gives texts, whatever its type says.
  for await (const chunk of body as AsyncIterable<Uint8Array | string>)
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
