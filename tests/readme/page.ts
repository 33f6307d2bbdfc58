import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Block, blocksOf } from './blocks.ts'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The commands of a block with what the page shows to be their result. */
export interface Session {
  readonly text: string
  readonly shown: Block | undefined
}

/** A page as a reader follows it: files to save and commands to paste. */
export interface Page {
  readonly sessions: readonly Session[]
  /** Blocks that begin with a comment that names a file. */
  readonly files: readonly { readonly name: string; readonly text: string }[]
  /** What it has its reader install, without versions. */
  readonly packages: readonly string[]
}

export async function readPage(path: string): Promise<Page> {
  const blocks = blocksOf(await readFile(join(root, path), 'utf8'))
  const sessions = blocks.flatMap(({ kind, text }, position) => {
    const below = blocks[position + 1]
    return kind === 'sh' ? [{ text, shown: below?.isResult ? below : undefined }] : []
  })
  const files = blocks.flatMap(({ text }) => {
    const [, name] = /^\/\/ ([\w-]+\.ts)\n/.exec(text) ?? []
    return name === undefined ? [] : [{ name, text }]
  })
  const installed = sessions.flatMap(({ text }) => [...text.matchAll(/^npm i (.+)$/gm)].map(([, words = '']) => words))
  const packages = installed.flatMap((words) => words.split(' ').map((word) => word.replace(/(?<=.)@[\w.-]+$/, '')))
  return { sessions, files, packages }
}

/** A folder as that of somebody who installed Icosa and the SDKs, and has started it there. */
export async function readersFolder(dataFolder: string) {
  const outer = await mkdtemp(join(tmpdir(), 'icosa-reader-'))
  const folder = await mkdtemp(join(outer, 'project-'))
  await symlink(dataFolder, join(folder, '.icosa'))
  await symlink(join(root, 'node_modules'), join(outer, 'node_modules'))
  await symlink(join(root, 'tests/sdk/node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return { folder, [Symbol.asyncDispose]: () => rm(outer, { recursive: true, force: true }) }
}

/**
 * What starts and installs is already done. But for the ports, all else is as it is written; `npx` is left out, which takes four times
 * as long as what it starts, and is tried with the README of the project.
 */
export const asPasted = (text: string, host: string, ownPort: number) =>
  text
    .replaceAll(/^((sudo )?npx icosa dev|npm i ).*$/gm, '')
    .replaceAll('npx icosa', 'icosa')
    .replaceAll('127.0.0.1:4000', host)
    .replaceAll('3210', String(ownPort))
