/** Makes `icosa-<version>.tgz`: JavaScript that runs from node_modules, where Node strips no types. */
import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle, external, root } from './bundle.ts'
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
// They import nothing, so what they say is all that a caller's compiler has to know.
const types = await readFile(join(root, 'apps/server/src/testkit/types.ts'), 'utf8')
await writeFile(join(out, 'dist/testing.d.ts'), `${types}\nexport declare const start: Start\n`)

const app = await manifestOf('apps/server')
const services = (await readdir(join(root, 'services'))).map((name) => manifestOf(`services/${name}`))
/** Install scripts that download what we do not use may fail: what needs these packages then says that they are missing. */
const optional: ReadonlySet<string> = new Set(['onnxruntime-node'])
const apart = (await Promise.all(services)).flatMap(({ dependencies = {} }) =>
  Object.entries(dependencies).filter(([name]) => external.some((one) => one.test(name))),
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
      exports: {
        './testing': { types: './dist/testing.d.ts', default: './dist/testing.js' },
        './package.json': './package.json',
      },
      engines: { node: '>=24' },
      dependencies: Object.fromEntries(apart.filter(([name]) => !optional.has(name))),
      optionalDependencies: {
        ...app.optionalDependencies,
        ...Object.fromEntries(apart.filter(([name]) => optional.has(name))),
      },
    },
    null,
    2,
  )}\n`,
)
await writeFile(join(out, 'sbom.cdx.json'), `${JSON.stringify(await sbom(app.name, app.version), null, 2)}\n`)
for (const file of ['README.md', 'LICENSE']) await cp(join(root, file), join(out, file))
execFileSync('npm', ['pack', out, '--pack-destination', root], { stdio: ['ignore', 'inherit', 'ignore'] })
