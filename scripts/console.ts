/** Builds the console into dist/console: files with hashes in their names, each also compressed. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const config = fileURLToPath(new URL('../apps/console/vite.config.ts', import.meta.url))
const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** A node may serve the folder, and another process build it, at the same time: files are replaced one by one, the page last. */
export async function writeConsole(): Promise<void> {
  await mkdir(dist, { recursive: true })
  const outDir = await mkdtemp(join(dist, 'console-'))
  try {
    await buildInto(outDir)
    await replace(outDir, join(dist, 'console'))
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

async function buildInto(outDir: string): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production' // in tests it differs, which makes React larger and slower
  await build({ configFile: config, build: { outDir } }).finally(() => Object.assign(process.env, { NODE_ENV }))
  const assets = join(outDir, 'assets')
  for (const name of await readdir(assets)) {
    const content = await readFile(join(assets, name))
    await writeFile(join(assets, `${name}.gz`), gzipSync(content, { level: 9 }))
    await writeFile(join(assets, `${name}.br`), brotliCompressSync(content))
  }
}

async function replace(from: string, to: string): Promise<void> {
  await mkdir(join(to, 'assets'), { recursive: true })
  const current = await readdir(join(from, 'assets'))
  for (const name of current) await rename(join(from, 'assets', name), join(to, 'assets', name))
  await rename(join(from, 'index.html'), join(to, 'index.html'))
  for (const name of await readdir(join(to, 'assets')))
    if (!current.includes(name)) await rm(join(to, 'assets', name), { force: true })
}

if (import.meta.main) await writeConsole()
