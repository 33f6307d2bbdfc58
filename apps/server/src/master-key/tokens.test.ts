import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from '@icosa/kernel'
import { startTestApp } from '@icosa/testing'
import { masterKeyVault } from '@icosa/tokens'
import { beforeAll, expect, test } from 'vitest'
import { platformSettings } from '../settings.ts'
import { idOf, old, openSecrets, type Secrets } from '../testing/secrets.ts'
import { makeToken } from '../testing/token.ts'
import { openMasterKeys } from './tokens.ts'

let token: Awaited<ReturnType<typeof makeToken>>
beforeAll(async () => {
  token = await makeToken()
}, 120_000)

/** Opens the master keys as a node does, from its settings. */
async function given({ database }: Pick<Secrets, 'database'>, text: string, environment = token.environment) {
  const env = { ICOSA_MASTER_KEY: text, ICOSA_MASTER_KEY_ENVIRONMENT: JSON.stringify(environment) }
  const { masterKeys = [], masterKeyEnvironment } = platformSettings.read(env)
  return openMasterKeys(database, masterKeys, masterKeyEnvironment)
}

test.each(['secret', 'pair'])(
  'the token key %s wraps a master key, and every start unwraps the same',
  async (object) => {
    await using secrets = await openSecrets()
    const uri = token.uri(object)
    const [first = old] = await given(secrets, uri)
    const vault = await secrets.open(first)
    await secrets.add(vault, 3)
    const secretsBefore = await secrets.read(vault)
    const [again = old] = await given(secrets, uri)
    expect(await secrets.read(await secrets.open(again))).toEqual(secretsBefore)
    const keys = await secrets.database.many<{ name: string; wrapped: Buffer }>(sql`select * from icosa.master_keys`)
    expect(keys.map(({ name }) => name)).toEqual([`pkcs11:token=icosa;object=${object}`])
    expect(keys[0]?.wrapped.includes(Buffer.from(first)), 'not in plaintext').toBe(false)
  },
  120_000,
)

test('one of several nodes that start concurrently creates the master key', async () => {
  await using secrets = await openSecrets()
  const opened = await Promise.all(Array.from({ length: 3 }, () => given(secrets, token.uri('secret'))))
  expect(new Set(opened.map(([key = old]) => idOf(key))).size).toBe(1)
}, 120_000)

test('a rotation replaces a plain master key with a token key, that with another one, and back', async () => {
  await using secrets = await openSecrets()
  const plain = old.toString('base64')
  const before = await secrets.open(old)
  await secrets.add(before, 20)
  const secretsBefore = await secrets.read(before)
  let last = plain
  for (const next of [token.uri('pair'), token.uri('secret'), Buffer.alloc(32, 9).toString('base64')]) {
    const keys = await given(secrets, `${next},${last}`)
    const rotated = await secrets.rotate(keys)
    expect(rotated).toMatchObject({ left: 0, unopened: [], retired: [idOf(keys[1] ?? old)] })
    expect(await secrets.read(await secrets.open(...(await given(secrets, next))))).toEqual(secretsBefore)
    await expect(secrets.open(...(await given(secrets, last)))).rejects.toThrow('set the new one')
    last = next
  }
}, 240_000)

test('a wrong PIN is tried once, and the node does not start', async () => {
  await using secrets = await openSecrets()
  const broken = await makeToken()
  await given(secrets, broken.uri('secret'), broken.environment)
  writeFileSync(broken.pinFile, '9999')
  // OpenSC's spy library in front of SoftHSM logs every call.
  const calls = join(broken.folder, 'calls')
  const environment = { ...broken.environment, PKCS11SPY: '/usr/lib/softhsm/libsofthsm2.so', PKCS11SPY_OUTPUT: calls }
  const uri = broken.uri('secret', '/usr/lib/x86_64-linux-gnu/pkcs11/pkcs11-spy.so')
  await expect(given(secrets, uri, environment)).rejects.toThrow(
    "ICOSA_MASTER_KEY names a key of a token. The PIN of the token 'icosa' is wrong (C_Login returned CKR_PIN_INCORRECT). It was tried once: correct it before you start again.",
  )
  expect(readFileSync(calls, 'utf8').match(/: C_Login/g)).toHaveLength(1)
  writeFileSync(broken.pinFile, '1234')
  await given(secrets, uri, environment)
}, 120_000)

test('a node without its token does not start, and prints one line of advice', async () => {
  await using secrets = await openSecrets()
  const lost = await makeToken()
  const uri = lost.uri('secret')
  const start = async (text: string) => {
    const node = await startTestApp({
      services: [],
      databaseUrl: secrets.url,
      vault: async (database) => {
        const masterKeys = await given({ database }, text, lost.environment as typeof token.environment)
        return masterKeyVault({ masterKeys, sealed: () => [] })(database)
      },
    })
    await node[Symbol.asyncDispose]()
    return 'it started'
  }
  const refusal = (text: string) => start(text).catch(({ message }: Error) => message)
  expect(await refusal(uri)).toBe('it started')
  expect(await refusal(uri.replace('object=secret', 'object=none'))).toContain(
    "'none' of the token 'icosa' cannot be used",
  )
  expect(await refusal(uri.replace('token=icosa', 'token=other'))).toContain(
    "There is no token 'other' behind /usr/lib/softhsm/libsofthsm2.so, only icosa: attach it",
  )
  expect(await refusal(uri.replace('libsofthsm2', 'none'))).toContain(
    'cannot be loaded: install it, or correct module-path',
  )
  expect(await refusal(uri.replace(lost.pinFile, '/nonexistent/pin'))).toContain(
    '/nonexistent/pin cannot be read (ENOENT)',
  )
  lost.takeAway()
  const gone = await refusal(uri)
  expect(gone).toContain("There is no token 'icosa'")
  expect(gone.split('\n')).toHaveLength(1)

  const cli = fileURLToPath(new URL('../../bin/icosa.js', import.meta.url))
  const env = {
    ...process.env,
    DATABASE_URL: secrets.url,
    ICOSA_MASTER_KEY: uri,
    ICOSA_MASTER_KEY_ENVIRONMENT: JSON.stringify(lost.environment),
  }
  const command = promisify(execFile)(process.execPath, [cli, 'master-key', 'status'], { env })
  await expect(command).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("There is no token 'icosa'") })
  lost.breakLibrary()
  expect(await refusal(uri)).toContain('does not start (C_Initialize returned CKR_GENERAL_ERROR): check its device')
}, 240_000)
