import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const softhsm = '/usr/lib/softhsm/libsofthsm2.so'

/** Creates a SoftHSM token in a folder of its own, with an AES and an RSA key, by the usual tools. */
export async function makeToken() {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-master-token-'))
  const tokens = join(folder, 'tokens')
  mkdirSync(tokens)
  const environment = { SOFTHSM2_CONF: join(folder, 'softhsm2.conf') }
  writeFileSync(environment.SOFTHSM2_CONF, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`)
  const env = { ...process.env, ...environment }
  await run('softhsm2-util', ['--init-token', '--free', '--label', 'icosa', '--pin', '1234', '--so-pin', '5678'], {
    env,
  })
  const tool = (...args: string[]) =>
    run('pkcs11-tool', ['--module', softhsm, '--login', '--pin', '1234', ...args], { env })
  await tool('--keygen', '--key-type', 'AES:32', '--label', 'secret', '--id', '01', '--usage-decrypt')
  await tool('--keypairgen', '--key-type', 'RSA:2048', '--label', 'pair', '--id', '02', '--usage-decrypt')
  const pinFile = join(folder, 'pin')
  writeFileSync(pinFile, '1234\n', { mode: 0o600 })
  return {
    folder,
    environment,
    pinFile,
    uri: (object: string, library = softhsm) =>
      `pkcs11:token=icosa;object=${object}?module-path=${library}&pin-source=file:${pinFile}`,
    /** Simulates an unplugged token. */
    takeAway() {
      for (const name of readdirSync(tokens)) rmSync(join(tokens, name), { recursive: true })
    },
    /** Makes the initialization of the library fail. */
    breakLibrary: () => rmSync(tokens, { recursive: true }),
  }
}
