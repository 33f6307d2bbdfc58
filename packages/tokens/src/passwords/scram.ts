import { createHash, createHmac, pbkdf2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

/** 192 bits, in letters that need no quoting anywhere. */
export const newPassword = () => randomBytes(24).toString('base64url')

const iterations = 4096
const derive = promisify(pbkdf2)

/** What PostgreSQL keeps of a password (RFC 5803): sent instead of it, so that no server log ever holds the password. */
export async function verifierOf(password: string, salt = randomBytes(16)): Promise<string> {
  const salted = await derive(password, salt, iterations, 32, 'sha256')
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest()
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64')
  const serverKey = keyed('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
