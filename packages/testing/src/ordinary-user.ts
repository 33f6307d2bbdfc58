import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { children } from './children.ts'

/** `nobody` if the tests run as root; otherwise their own user. */
const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Whether the kernel grants an ordinary user the namespaces that a sandbox needs. */
export const hasUserNamespaces = (): boolean =>
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', '--pid', '--fork', '--mount-proc', 'true'], account)
    .status === 0

/**
 * Runs a module as an ordinary user and returns the message that it sends. Its first argument is a temporary folder
 * with `files`; the others are `args`.
 */
export async function asOrdinaryUser<T>(
  module: URL,
  files: Readonly<Record<string, Uint8Array | string>> = {},
  ...args: readonly string[]
): Promise<T> {
  await using started = children()
  const folder = await mkdtemp('/tmp/icosa-user-')
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o644 })
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
    const options = { ...account, env: { ...process.env, HOME: folder }, serialization: 'advanced' } as const
    const child = started.add(fork(module, [folder, ...args], options))
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${module.pathname} ended with ${code} before it sent anything.`)
    })
    const [message] = await Promise.race([once(child, 'message'), ended])
    ended.catch(() => {}) // its exit is expected now
    return message as T
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
