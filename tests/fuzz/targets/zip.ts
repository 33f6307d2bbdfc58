import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Failure } from '@icosa/kernel'
import { unpack } from '../../../services/functions/src/build/unpack.ts'
import { zip } from '../../../services/functions/src/build/zip.ts'
import type { Target } from '../target.ts'

export const target: Target = {
  seeds: [
    zip([{ path: 'index.js', content: 'exports.a = 1' }]),
    zip([{ path: 'lib/' }, { path: 'lib/a.js', content: 'x'.repeat(500), mode: 0o100755 }]),
    zip([
      { path: '__MACOSX/x', content: 'y' },
      { path: 'bin', content: '', claimedSize: 2 ** 31 },
    ]),
  ],
  dictionary: ['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', 'PK\x06\x06', '../', '/', '\\', '\0'],
  refusals: [Failure],
  maxBytes: 200_000,
  async run(bytes) {
    const folder = await mkdtemp(join(tmpdir(), 'icosa-fuzz-zip-'))
    try {
      await writeFile(join(folder, 'zip'), bytes)
      await unpack(join(folder, 'zip'), join(folder, 'out'), { limits: { files: 100, bytes: 10_000_000, ratio: 100 } })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
