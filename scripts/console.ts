/** Builds the console into dist/console: files with hashes in their names, each also compressed. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const config = fileURLToPath(new URL('../apps/console/vite.config.ts', import.meta.url))
const folder = fileURLToPath(new URL('../dist/console/', import.meta.url))

export async function writeConsole(outDir = folder): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production' // in tests it differs, which makes React larger and slower
  await build({ configFile: config, build: { outDir } }).finally(() => Object.assign(process.env, { NODE_ENV }))
  const assets = `${outDir}/assets/`
  for (const name of await readdir(assets)) {
    const content = await readFile(assets + name)
    await writeFile(`${assets}${name}.gz`, gzipSync(content, { level: 9 }))
    await writeFile(`${assets}${name}.br`, brotliCompressSync(content))
  }
}

if (import.meta.main) await writeConsole()
