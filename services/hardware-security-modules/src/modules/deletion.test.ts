import {
  constants,
  createCipheriv,
  createPublicKey,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
} from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { startModules, versioned } from '../testing/app.ts'

/** Returns the files below folders that contain any of these bytes. */
function filesWith(folders: string | readonly string[], needles: readonly Buffer[]): string[] {
  return [folders].flat().flatMap((folder) => filesBelow(folder, needles))
}

function filesBelow(folder: string, needles: readonly Buffer[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return []
    const content = readIfExists(join(entry.parentPath, entry.name))
    return needles.some((needle) => content.includes(needle)) ? [entry.name] : []
  })
}

function readIfExists(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0) // just deleted
  }
}

/** Folders of this database and of the WAL, which the user running the tests can read. */
async function dataFolders(database: Database): Promise<string[]> {
  const { pid, oid } = await database.one<{ pid: number; oid: string }>(sql`
    select pg_backend_pid() as pid, oid::text from pg_database where datname = current_database()`)
  const root = readlinkSync(`/proc/${pid}/cwd`)
  return [`base/${oid}`, 'global', 'pg_wal'].map((part) => join(root, part))
}

/** Writes PostgreSQL's buffers to its files, if permitted. */
const flush = (database: Database) => database.script('checkpoint').catch(() => {})

/** Unique pieces of SoftHSM's private key files, whose attributes are encrypted. */
function piecesIn(folder: string, publicKeys: readonly string[]): Buffer[] {
  const halves = publicKeys.map((pem) =>
    createPublicKey(pem).export({ type: 'spki', format: 'der' }).subarray(-40, -20),
  )
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.name.endsWith('.object') || entry.name === 'token.object') return []
    const content = readFileSync(join(entry.parentPath, entry.name))
    if (halves.some((half) => content.includes(half))) return [] // public
    return Array.from({ length: Math.floor(content.length / 24) }, (_, index) =>
      content.subarray(index * 24, index * 24 + 24),
    ).filter((piece) => new Set(piece).size > 18) // not numbers and zeros
  })
}

test('after its deletion no byte of a key remains in the token folder or in PostgreSQL files', async () => {
  await using world = await startModules()
  const { database } = world.app.platform
  const data = await dataFolders(database)
  const module = await world.open('forgotten')
  const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
  const door = await module.keys.make({
    ...at('door'),
    body: { type: 'RSA', size: 2048, operations: ['wrap', 'unwrap'] },
  })
  const publicKey = door.body.publicKey ?? ''

  // A key with known plaintext to search for.
  const [transport, pair] = [randomBytes(32), generateKeyPairSync('ec', { namedCurve: 'P-256' })]
  const oaep = { key: publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' }
  const wrapped = publicEncrypt(oaep, transport).toString('base64')
  await module.keys.unwrap({
    ...at('door'),
    body: { algorithm: 'RSA-OAEP', value: wrapped, name: 'transport', type: 'AES', operations: ['unwrap'] },
  })
  const cipher = createCipheriv('id-aes256-wrap-pad' as 'aes-256-gcm', transport, Buffer.from('a65959a6', 'hex'))
  const der = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  const value = Buffer.concat([cipher.update(der), cipher.final()]).toString('base64')
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const body = { algorithm: 'AES-KWP', value, name: 'known', type: 'EC', curve: 'P-256', publicKey: pem } as const
  await module.keys.unwrap({ ...at('transport'), body })
  await module.keys.sign({ ...at('known'), body: { algorithm: 'ES256', value: 'aGVsbG8=' } })
  const scalar = Buffer.from(pair.privateKey.export({ format: 'jwk' }).d ?? '', 'base64url')
  const plaintext = [scalar, transport]
  const all = piecesIn(world.folder, [publicKey, pem])
  const pieces = all.filter((_, index) => index % Math.ceil(all.length / 30) === 0) // each is searched in every file
  const asText = pieces.map((piece) => Buffer.from(piece.toString('base64').slice(4, 28)))

  expect(pieces.length).toBeGreaterThan(15)
  expect(filesWith(world.folder, pieces), 'the search finds existing keys').not.toEqual([])
  await flush(database)
  expect(filesWith(data, [Buffer.from(publicKey.split('\n')[2] ?? '')]), 'in PostgreSQL, too').not.toEqual([])
  expect(filesWith(world.folder, plaintext), 'never in plaintext').toEqual([])
  expect(filesWith(data, [...plaintext, ...pieces, ...asText]), 'PostgreSQL contains sealed keys only').toEqual([])

  const manager = await world.manager()
  await manager.delete({ ...versioned, params: module.params })
  await world.app.jobs.drain()
  expect(readdirSync(world.folder)).toEqual([])
  const rows = await database.one(sql`
    select (select count(*)::int from hardware_security_modules.keys) as keys,
      (select count(*)::int from hardware_security_modules.modules) as modules`)
  expect(rows).toEqual({ keys: 0, modules: 0 })
  await flush(database)
  expect(filesWith(data, [...plaintext, ...pieces, ...asText])).toEqual([])
})

test('a second node zeroises its copies of deleted keys and modules', async () => {
  await using world = await startModules()
  await using other = await startModules({}, { databaseUrl: world.app.databaseUrl })
  const module = await world.open('on-both')
  const params = { moduleId: module.id, keyName: 'one' }
  const body = { algorithm: 'ES256', value: 'aGVsbG8=' } as const
  const key = await module.keys.make({ params, body: { type: 'EC', curve: 'P-256' } })
  const publicKeys = [key.body.publicKey ?? '']
  const keys = await other.keysOf('acme')
  const { signature } = (await keys.sign({ params, body })).body
  const verified = await module.keys.verify({ params, body: { ...body, signature } })
  expect(verified.body.valid, 'one node verifies the signature of the other').toBe(true)
  expect(piecesIn(other.folder, publicKeys).length).toBeGreaterThan(0)

  await module.keys.delete({ params })
  await world.app.jobs.drain()
  expect(piecesIn(world.folder, publicKeys)).toEqual([])
  await expect.poll(() => piecesIn(other.folder, publicKeys).length, { timeout: 60_000 }).toBe(0)

  const manager = await world.manager()
  await manager.delete({ ...versioned, params: module.params })
  await world.app.jobs.drain()
  await expect.poll(() => readdirSync(other.folder), { timeout: 60_000 }).toEqual([])
})
