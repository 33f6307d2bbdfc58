import { appendFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { includeOwn } from './configuration.ts'
import { type Folders, isFolder } from './folders.ts'
import { type Programs, runAs } from './programs.ts'

/** Creates an empty data directory with its own certificate. An incomplete one is never used. */
export async function initialize({ all, data }: Folders, programs: Programs, signal: AbortSignal): Promise<void> {
  if (await isFolder(data)) return
  const part = join(all, 'data.part')
  await rm(part, { recursive: true, force: true })
  const authentication = ['--auth-local=trust', '--auth-host=scram-sha-256']
  const kind = ['--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums', '--no-instructions', '--username=postgres']
  await runAs(programs, join(programs.binaries, 'initdb'), ['-D', part, ...kind, ...authentication], {
    signal,
    folder: all,
  })
  await appendFile(join(part, 'postgresql.conf'), includeOwn)
  await certify(part, programs, signal)
  await rename(part, data)
}

/** Self-signed: encrypts, but is not verified. Clients that verify need a certificate from the operator. */
async function certify(data: string, programs: Programs, signal: AbortSignal): Promise<void> {
  const files = ['-keyout', join(data, 'server.key'), '-out', join(data, 'server.crt')]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const certificate = ['-x509', '-days', '3650', '-subj', '/CN=icosa machine']
  await runAs(
    programs,
    'sh',
    ['-c', 'umask 077; exec openssl req "$@" 2>/dev/null', 'sh', ...key, ...certificate, ...files],
    {
      signal,
    },
  )
}
