import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/** 192 bits, in characters that never need quoting. */
export const newPassword = () => randomBytes(24).toString('base64url')

const iterations = 4096
const derive = promisify(pbkdf2)

/** SCRAM verifier for PostgreSQL (RFC 5803): sent instead of the password, so that no server log ever contains it. */
export async function verifierOf(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256')
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(hmac('Client Key')).digest('base64')
  const serverKey = hmac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
