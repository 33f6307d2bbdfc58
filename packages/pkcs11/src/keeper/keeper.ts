import { fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Failure } from '@icosa/kernel'
import type { KeeperReply, KeeperRequest, Trouble } from './messages.ts'
import { nameOf, type TokenKey } from './uri.ts'

export interface KeeperOptions {
  /** Environment variables of the library: its process gets no others. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const defaultTimeoutMs = 60_000
const main = fileURLToPath(new URL('./main.ts', import.meta.url))

/** Wraps or unwraps data with a token's key, in a separate process that ends afterwards. */
export async function askKeeper(
  key: TokenKey,
  call: KeeperRequest['call'],
  data: Uint8Array,
  options: KeeperOptions,
): Promise<Buffer> {
  const pin = await pinOf(key)
  const { library, token, object, id } = key
  const reply = await once({ library, token, object, id, pin, call, data, context: nameOf(key) }, options)
  if ('value' in reply) return Buffer.from(reply.value)
  throw new Failure('unavailable', adviceFor(reply.trouble, reply.detail, key), { code: reply.trouble })
}

async function pinOf({ pin }: TokenKey): Promise<string> {
  if ('value' in pin) return pin.value
  try {
    return (await readFile(pin.file, 'utf8')).replace(/\r?\n$/, '')
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException
    throw new Failure('unavailable', `The PIN in ${pin.file} cannot be read (${code}): check the file.`, {
      cause,
      code: 'pinFile',
    })
  }
}

function once(
  request: KeeperRequest,
  { environment, timeoutMs = defaultTimeoutMs }: KeeperOptions,
): Promise<KeeperReply> {
  // Without the node's environment, which contains secrets; the PIN is passed where no process list shows it.
  const child = fork(main, [], { env: { ...environment }, execArgv: [], serialization: 'advanced', silent: true })
  const reply = Promise.withResolvers<KeeperReply>()
  const failed = (detail: string) => reply.resolve({ trouble: 'failed', detail })
  const timer = setTimeout(() => failed(`it did not answer within ${timeoutMs / 1_000} s`), timeoutMs)
  child.once('message', (message) => reply.resolve(message as KeeperReply))
  child.once('error', ({ message }) => failed(message))
  child.once('exit', (code, signal) => failed(`its process ended (${signal ?? `exit code ${code}`})`))
  child.send(request, (error) => error && failed(error.message))
  return reply.promise.finally(() => {
    clearTimeout(timer)
    child.kill('SIGKILL')
  })
}

/** Advice in one line. */
function adviceFor(trouble: Trouble, detail: string, { library, token, object, id }: TokenKey): string {
  const keyName = `'${object ?? id}' of the token '${token}'`
  const advice: Readonly<Record<Trouble, string>> = {
    library: `The PKCS#11 library ${library} cannot be loaded: install it, or correct module-path. ${detail}`,
    start: `The PKCS#11 library ${library} does not start (${detail}): check its device and its configuration.`,
    token: `There is no token '${token}' behind ${library}${detail && `, only ${detail}`}: attach it, or correct token=.`,
    pin: `The PIN of the token '${token}' is wrong (${detail}). It was tried once: correct it before you start again.`,
    lastTry: `The token '${token}' would be locked by one more wrong PIN, so it is not tried: log in with the right one by pkcs11-tool first.`,
    locked: `The PIN of the token '${token}' is locked: ask the token's administrator to unlock it.`,
    key: `The key ${keyName} cannot be used: ${detail}. It must be an RSA or AES key that can decrypt.`,
    refused: `The key ${keyName} cannot decrypt the data (${detail}): is it another key of the same name?`,
    failed: `The token '${token}' could not be used: ${detail}.`,
  }
  return advice[trouble]
}
