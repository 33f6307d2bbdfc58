/** Reads at least `length` bytes, or all of a shorter file. */
export async function headOf(pieces: AsyncIterator<Uint8Array>, length: number): Promise<Buffer> {
  const head: Uint8Array[] = []
  for (let size = 0; size < length; ) {
    const next = await pieces.next()
    if (next.done) break
    head.push(next.value)
    size += next.value.length
  }
  return Buffer.concat(head)
}
