export async function* piecesOf(body: Uint8Array | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    yield body
    return
  }
  // Text streams yield strings, whatever their type says.
  for await (const chunk of body as AsyncIterable<Uint8Array | string>)
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}
