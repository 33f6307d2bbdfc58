/** Assembles every `.wat` of the services, and writes the `.wasm` next to it, which is committed. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openWabt from 'wabt'

const root = fileURLToPath(new URL('../', import.meta.url))
const features = { simd: true, threads: true, multi_memory: true }

/** Modules by the path of their binary. V8 validates them when they are loaded. */
export async function assembleAll(): Promise<ReadonlyMap<string, Uint8Array>> {
  const wabt = await openWabt()
  const texts = globSync('services/*/data/*.wat', { cwd: root }).map((path) => join(root, path))
  return new Map(
    texts.map((file) => {
      const module = wabt.parseWat(file, readFileSync(file, 'utf8'), features)
      try {
        return [file.replace(/\.wat$/, '.wasm'), module.toBinary({}).buffer] as const
      } finally {
        module.destroy()
      }
    }),
  )
}

if (import.meta.main) for (const [file, binary] of await assembleAll()) writeFileSync(file, binary)
