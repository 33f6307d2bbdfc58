import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { runProgram } from '@icosa/compute'

/** Packs a folder reproducibly: the same files give the same hash, which is returned. */
export async function pack(folder: string, to: string, signal: AbortSignal): Promise<string> {
  const tar = `${to}.tar`
  const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=pax']
  const noTimes = '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'
  const args = [...reproducible, noTimes, '-C', folder, '-cf', tar, '.']
  await runProgram('tar', args, { deadlineMs: 300_000, signal })
  const file = createWriteStream(to, { mode: 0o600 })
  await pipeline(createReadStream(tar), createGzip({ level: 6 }), file, { signal })
  return hashOf(to)
}

export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
