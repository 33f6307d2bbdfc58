import { createCipheriv, createHash, randomBytes, scryptSync } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** restic's minimum: 256 random bits cannot be guessed, however fast each guess is. */
const cost = { N: 2, r: 8, p: 1 }

/**
 * Replaces the only key of a new repository in a folder with one whose password is verified in microseconds instead of half a
 * second. Format: https://restic.readthedocs.io/en/stable/100_references.html, "Keys, Encryption and MAC".
 */
export async function replaceKey(folder: string, password: string, masterKey: string): Promise<void> {
  const keys = join(folder, 'keys')
  const [name = ''] = await readdir(keys)
  const salt = randomBytes(64)
  const data = encrypt(scryptSync(password, salt, 64, cost), Buffer.from(masterKey))
  const { created, username, hostname, kdf } = JSON.parse(await readFile(join(keys, name), 'utf8'))
  const encoded = { salt: salt.toString('base64'), data: data.toString('base64') }
  const key = JSON.stringify({ created, username, hostname, kdf, ...cost, ...encoded })
  const hash = createHash('sha256').update(key).digest('hex')
  await writeFile(join(keys, hash), key, { mode: 0o400, flush: true })
  await rm(join(keys, name))
}

/** Nonce, AES-256-CTR ciphertext and its Poly1305-AES tag, by the three keys in the 64 derived bytes. */
function encrypt(derived: Buffer, plaintext: Buffer): Buffer {
  const nonce = randomBytes(16)
  const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), nonce)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  const pad = createCipheriv('aes-128-ecb', derived.subarray(32, 48), null).update(nonce)
  return Buffer.concat([nonce, ciphertext, poly1305(ciphertext, derived.subarray(48), pad)])
}

function poly1305(message: Buffer, r: Buffer, s: Buffer): Buffer {
  const factor = littleEndian(r) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
  let sum = 0n
  for (let at = 0; at < message.length; at += 16)
    sum = ((sum + littleEndian([...message.subarray(at, at + 16), 1])) * factor) % (2n ** 130n - 5n)
  const tag = (sum + littleEndian(s)) % 2n ** 128n
  return Buffer.from(tag.toString(16).padStart(32, '0'), 'hex').reverse()
}

const littleEndian = (bytes: Iterable<number>) =>
  BigInt(
    `0x${Buffer.from([...bytes])
      .reverse()
      .toString('hex')}`,
  )
