import { chown, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Account, accountNamed } from '@icosa/module'
import { hasUserNamespaces } from '@icosa/testing'
import { type Block, blocksOf } from './blocks.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Unprivileged account that follows the guides if tests run as root. Undefined: the account of this process. */
export const ordinaryAccount = async (): Promise<Account | undefined> =>
  process.getuid?.() === 0 ? accountNamed('nobody') : undefined

/** The commands of a block with the result that the page shows. */
export interface Session {
  readonly text: string
  readonly shown: Block | undefined
}

/** A page as a reader follows it: files to save and commands to paste. */
export interface Page {
  readonly sessions: readonly Session[]
  /** Blocks that begin with a comment that names a file. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** Packages that its reader installs, as `name@version`. */
  readonly packages: readonly string[]
  readonly needsRoot: boolean
}

/** Guides to services with sandboxes, for which an unprivileged user needs user namespaces. */
const sandboxed = ['docs/guides/functions.md', 'docs/guides/unpack-analysis.md']

/** Languages whose sections of a guide do the same: its reader follows one of them. */
export const languages = ['TypeScript', 'Python'] as const
export type Language = (typeof languages)[number]

export async function readPage(path: string, language: Language = 'TypeScript'): Promise<Page> {
  const parts = (await readFile(join(root, path), 'utf8')).split(/^(?=## )/m)
  const others = languages.filter((one) => one !== language).map((one) => `## With ${one}\n`)
  const blocks = blocksOf(parts.filter((part) => !others.some((title) => part.startsWith(title))).join(''))
  const sessions = blocks.flatMap(({ kind, text }, position) => {
    const below = blocks[position + 1]
    return kind === 'sh' ? [{ text, shown: below?.isResult ? below : undefined }] : []
  })
  const files = blocks.flatMap(({ text }) => {
    const [, name] = /^(?:\/\/|#) ([\w-]+\.(?:ts|py))\n/.exec(text) ?? []
    return name === undefined ? [] : [{ name, text }]
  })
  const installed = sessions.flatMap(({ text }) => [...text.matchAll(/^npm i (.+)$/gm)].map(([, words = '']) => words))
  const needsRoot =
    sessions.some(({ text }) => /^sudo /m.test(text)) || (sandboxed.includes(path) && !hasUserNamespaces())
  return { sessions, files, packages: installed.flatMap((words) => words.split(' ')), needsRoot }
}

/** Folders in which this checkout may have a package that a page installs. */
export const foldersOf = (name: string) =>
  ['tests/sdk/node_modules', 'node_modules'].map((folder) => join(root, folder, name))

/** Creates the folder of a reader who has started Icosa there and installed only these packages. */
export async function readersFolder(dataFolder: string, packages: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-reader-'))
  await symlink(dataFolder, join(folder, '.icosa'))
  for (const name of packages.map(nameOf)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    const [first = '', second = ''] = foldersOf(name)
    await symlink((await readdir(first).catch(() => [])).length > 0 ? first : second, link)
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

export const nameOf = (installed: string) => installed.replace(/(?<=.)@[\w.-]+$/, '')

/** Changes the owner of a folder and its files to the account. */
export async function handOver(folder: string, account: Account | undefined): Promise<void> {
  if (!account) return
  for (const file of ['', ...(await readdir(folder)).filter((name) => name !== '.icosa' && name !== 'node_modules')])
    await chown(join(folder, file), account.uid, account.gid)
}

/**
 * Commands of a page, with other ports and without those that start Icosa or install packages, which has been done. `npx`
 * is omitted: it takes four times as long as its command, and the test of the project's README covers it.
 */
export const asPasted = (text: string, host: string, ownPort: number) =>
  withPorts(text.replaceAll(/^((sudo )?npx icosa dev|npm i ).*$/gm, '').replaceAll('npx icosa', 'icosa'), host, ownPort)

/** Replaces ports with ones that are free on this machine. */
export const withPorts = (text: string, host: string, ownPort: number) =>
  text.replaceAll('127.0.0.1:4000', host).replaceAll('3210', String(ownPort))
