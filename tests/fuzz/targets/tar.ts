import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Failure } from '@icosa/kernel'
import { unpack } from '../../../services/functions/src/instances/artifacts/tar.ts'
import type { Target } from '../target.ts'

function entry(name: string, type: string, content = '', link = ''): Buffer {
  const head = Buffer.alloc(512)
  head.write(name, 0)
  head.write('0000644\0', 100)
  head.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  head.write(type, 156)
  head.write(link, 157)
  head.write('ustar\0', 257)
  return signed(Buffer.concat([head, Buffer.alloc(Math.ceil(content.length / 512) * 512, content)]))
}

/** Corrects the checksum of every header, without which nothing else would be read. */
function signed(tar: Buffer): Buffer {
  const copy = Buffer.from(tar)
  for (let at = 0; at + 512 <= copy.length; at += 512) {
    const head = copy.subarray(at, at + 512)
    if (head.toString('latin1', 257, 262) !== 'ustar') continue
    head.fill(' ', 148, 156)
    head.write(
      `${head
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
  }
  return copy
}

const pax = (name: string, value: string) => `${name.length + value.length + 5} ${name}=${value}\n`

export const target: Target = {
  seeds: [
    Buffer.concat([entry('a/b.js', '0', 'hello'), Buffer.alloc(1024)]),
    Buffer.concat([entry('a', '5'), entry('a/l', '2', '', '../b'), entry('b', '0', 'x'), Buffer.alloc(1024)]),
    Buffer.concat([entry('p', 'x', pax('path', 'long/name')), entry('short', '0', 'x'), Buffer.alloc(1024)]),
    Buffer.concat([entry('L', 'L', 'longer/name\0'), entry('K', 'K', 'to\0'), entry('s', '2'), Buffer.alloc(1024)]),
  ],
  dictionary: ['../', '/', 'ustar\0', '\0', '00000000000\0', '77777777777\0', pax('path', 'x'), pax('size', '9')],
  refusals: [Failure],
  maxBytes: 200_000,
  async run(bytes) {
    const folder = await mkdtemp(join(tmpdir(), 'icosa-fuzz-tar-'))
    try {
      await unpack(Readable.from([gzipSync(signed(bytes), { level: 1 })]), folder, { bytes: 10_000_000, entries: 100 })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
