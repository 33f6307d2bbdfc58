import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Failure } from '@icosa/kernel'
import type { Asked, Told, Trouble } from './messages.ts'
import { nameOf, type TokenKey } from './uri.ts'

export interface KeeperOptions {
  /** Variables by which the library is configured: its process gets these and no others. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const usualTimeoutMs = 60_000
const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Asks the token of a key to wrap or unwrap something, in a process of its own that ends with the answer. */
export async function askKeeper(
  key: TokenKey,
  call: Asked['call'],
  data: Uint8Array,
  options: KeeperOptions,
): Promise<Buffer> {
  const pin = await pinOf(key)
  const { library, token, object, id } = key
  const told = await once({ library, token, object, id, pin, call, data, context: nameOf(key) }, options)
  if ('value' in told) return Buffer.from(told.value)
  throw new Failure('unavailable', adviceFor(told.trouble, told.detail, key), { code: told.trouble })
}

async function pinOf({ pin }: TokenKey): Promise<string> {
  if ('value' in pin) return pin.value
  try {
    return (await readFile(pin.file, 'utf8')).replace(/\r?\n$/, '')
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException
    throw new Failure('unavailable', `The PIN in ${pin.file} cannot be read (${code}): see to the file.`, {
      cause,
      code: 'pinFile',
    })
  }
}

function once(asked: Asked, { environment, timeoutMs = usualTimeoutMs }: KeeperOptions): Promise<Told> {
  // Nothing of the node's own environment, which has secrets; the PIN goes where no list of processes shows it.
  const child = fork(main, [], { env: { ...environment }, execArgv: [], serialization: 'advanced', silent: true })
  const answer = Promise.withResolvers<Told>()
  const failed = (detail: string) => answer.resolve({ trouble: 'failed', detail })
  const timer = setTimeout(() => failed(`it did not answer within ${timeoutMs / 1_000} s`), timeoutMs)
  child.once('message', (told) => answer.resolve(told as Told))
  child.once('error', ({ message }) => failed(message))
  child.once('exit', (code, signal) => failed(`its process ended (${signal ?? `exit code ${code}`})`))
  child.send(asked, (error) => error && failed(error.message))
  return answer.promise.finally(() => {
    clearTimeout(timer)
    child.kill('SIGKILL')
  })
}

/** What is to be done, in one line. */
function adviceFor(trouble: Trouble, detail: string, { library, token, object, id }: TokenKey): string {
  const own = `'${object ?? id}' of the token '${token}'`
  const advice: Readonly<Record<Trouble, string>> = {
    library: `The PKCS#11 library ${library} cannot be loaded: install it, or correct module-path. ${detail}`,
    start: `The PKCS#11 library ${library} does not start (${detail}): see to its device and its configuration.`,
    token: `There is no token '${token}' behind ${library}${detail && `, only ${detail}`}: attach it, or correct token=.`,
    pin: `The PIN of the token '${token}' is wrong (${detail}). It was tried once: correct it before you start again.`,
    lastTry: `The token '${token}' would be locked by one more wrong PIN, so it is not tried: log in with the right one by pkcs11-tool first.`,
    locked: `The PIN of the token '${token}' is locked: whoever administers the token unlocks it.`,
    key: `The key ${own} cannot be used: ${detail}. It must be one of RSA or AES that decrypts.`,
    refused: `The key ${own} does not open what it is to open (${detail}): is it another key of the same name?`,
    failed: `The token '${token}' could not be asked: ${detail}.`,
  }
  return advice[trouble]
}
