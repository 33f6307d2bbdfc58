/** Builds `icosa-<version>.tgz`: JavaScript, since Node strips no types in node_modules, and the bundled packages. */
import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle, external, root } from './bundle.ts'
import { copyBundled, packedDependencies } from './dependencies.ts'
import { sbom } from './sbom.ts'

const out = join(root, 'dist/package')
interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))

await rm(out, { recursive: true, force: true })
await bundle(
  { cli: join(root, 'apps/server/bin/icosa.js'), testing: join(root, 'apps/server/src/testkit/index.ts') },
  join(out, 'dist'),
)
// The types import nothing, so they are complete for a caller's compiler.
const types = await readFile(join(root, 'apps/server/src/testkit/types.ts'), 'utf8')
await writeFile(
  join(out, 'dist/testing.d.ts'),
  `${types}\nexport declare const start: Start\nexport declare const connect: Connect\n`,
)

const app = await manifestOf('apps/server')
const services = (await readdir(join(root, 'services'))).map((name) => manifestOf(`services/${name}`))
const apart = (await Promise.all(services)).flatMap(({ dependencies = {} }) =>
  Object.keys(dependencies).filter((name) => external.some((one) => one.test(name))),
)
const { bundledPaths, ...dependencies } = await packedDependencies(apart, app.optionalDependencies ?? {})
/** Platforms with a built-in PostgreSQL. Fewer make a smaller file, for tests. */
const platforms = (process.env.PACKAGE_PLATFORMS ?? 'linux/x64 linux/arm64 darwin/arm64 win32/x64')
  .split(' ')
  .filter(Boolean)
const testing = { types: './dist/testing.d.ts', default: './dist/testing.js' }
const manifest = {
  name: app.name,
  version: app.version,
  description: 'Twenty public HTTP services on one platform, and they really work.',
  license: app.license,
  type: 'module',
  bin: { icosa: './dist/cli.js' },
  exports: { '.': testing, './testing': testing, './package.json': './package.json' },
  engines: { node: '>=24' },
  ...dependencies,
}
const writeJson = (file: string, content: object) => writeFile(join(out, file), `${JSON.stringify(content, null, 2)}\n`)
await writeJson('package.json', manifest)
await copyBundled(bundledPaths, out, platforms)
await writeJson('sbom.cdx.json', await sbom(app.name, app.version))
await cp(join(root, 'LICENSE'), join(out, 'LICENSE'))
// Icosa itself serves the pages behind relative links.
const readme = (await readFile(join(root, 'README.md'), 'utf8'))
  .replaceAll(/!\[[^\]]*\]\((?!http)[^)]*\)\n+/g, '')
  .replaceAll(/\[([^\]]+)\]\((?!http)[^)]*\)/g, '$1')
await writeFile(
  join(out, 'README.md'),
  `${readme}\nAll pages named here: http://127.0.0.1:4000/docs, while \`icosa dev\` runs.\n`,
)
execFileSync('npm', ['pack', out, '--pack-destination', root], { stdio: ['ignore', 'inherit', 'ignore'] })
