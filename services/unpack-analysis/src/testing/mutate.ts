const extremes = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_fffe, 0x1000_0000]

/** Mutates a file, mostly its headers. */
export function mutated(file: Buffer, random: (below: number) => number, headersSize = 0x400): Buffer {
  const copy = Buffer.from(file)
  if (random(8) === 0) return copy.subarray(0, random(copy.length))
  const changes = 1 + random(6)
  for (let change = 0; change < changes; change++) {
    const at = random(random(4) === 0 ? copy.length - 4 : Math.min(headersSize, copy.length - 4))
    if (random(2) === 0) copy.writeUInt8(random(256), at)
    else copy.writeUInt32LE(extremes[random(extremes.length)] ?? 0, at)
  }
  return copy
}
