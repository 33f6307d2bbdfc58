/** The first pieces of a file, of at least so many bytes if it has them. */
export async function headOf(pieces: AsyncIterator<Uint8Array>, length: number): Promise<Buffer> {
  const read: Uint8Array[] = []
  for (let size = 0; size < length; ) {
    const next = await pieces.next()
    if (next.done) break
    read.push(next.value)
    size += next.value.length
  }
  return Buffer.concat(read)
}
