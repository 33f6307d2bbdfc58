import { readdirSync } from 'node:fs'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { allServices, loadModules } from '../../apps/server/src/services.ts'
import { platformSettings } from '../../apps/server/src/settings.ts'
import { type Import, importsOf, mayImport, root, sources, textOf } from './sources.ts'

/** Import rules for files that also run in a browser, stricter than ARCHITECTURE.md. The first matching row applies. */
const rules: readonly { readonly files: RegExp; readonly may: readonly RegExp[]; readonly why: string }[] = [
  {
    files: /^(services\/[^/]+|packages\/testing)\/src\/(.*\/)?(contract|names)\.ts$/,
    may: [
      /^packages\/contract\//,
      /^packages\/dialects\/src\/(status|\w+\/contract)\.ts$/,
      /\/(contract|names|exceptions)\.ts$/,
    ],
    why: 'a contract knows no server, no store and no node: module',
  },
  {
    files: /^packages\/dialects\/src\/\w+\/contract\.ts$/,
    may: [/^packages\/contract\//, /^packages\/dialects\/src\/(status|\w+\/(contract|exceptions))\.ts$/], // statuses are data
    why: 'the contract half of a dialect runs in a browser, too',
  },
]

/** External imports of the packages that avoid Node or npm. */
const bare: Readonly<Record<string, RegExp>> = {
  contract: /^$/,
  client: /^$/,
  settings: /^$/,
  module: /^node:/,
  pages: /^node:crypto$/,
}

function broken({ file, of }: Import): string | undefined {
  const isTest = /\.test\.ts$|\/testing\//.test(file)
  const [, top, name = ''] = /^(packages|services)\/([^/]+)\//.exec(file) ?? []
  const rule = rules.find(({ files }) => files.test(file) && !isTest)
  if (rule) return rule.may.some((may) => may.test(of)) ? undefined : `${file} imports ${of}: ${rule.why}`
  if (top === undefined || of.startsWith(`${top}/${name}/`) || (isTest && top === 'packages')) return undefined
  const workspace = top === 'services' ? 'services/<name>' : `packages/${name}`
  const [, imported] = /^packages\/([^/]+)\//.exec(of) ?? []
  const may = [...mayImport(workspace), ...(isTest ? ['testing', 'client', 'fetch', 'telemetry'] : [])]
  const isAllowed = imported ? may.includes(imported) : ((top === 'packages' && bare[name]) || /^(node|npm):/).test(of)
  return isAllowed ? undefined : `${file} imports ${of}: ARCHITECTURE.md says what ${workspace} may import`
}

test('every file imports only from the workspaces allowed to it', () => {
  const all = sources.flatMap(importsOf)
  expect(all.length).toBeGreaterThan(100)
  expect(all.flatMap((one) => broken(one) ?? [])).toEqual([])
})

/** Import cycles at runtime; type-only imports are erased. */
function circles(): string[] {
  const needs = new Map(sources.map((file) => [file, importsOf(file).flatMap(({ of, isType }) => (isType ? [] : of))]))
  const done = new Set<string>()
  const violations: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) violations.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (path.includes(file) || done.has(file)) return
    for (const needed of needs.get(file) ?? []) visit(needed, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
  return violations
}

test('files have no circular imports', () => {
  expect(circles()).toEqual([])
})

/** Imports with effects outside the database. Handlers use them through `withPreparation`, in separate files. */
const outside =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|tls|worker_threads)(\/|$)|^npm:undici$|^packages\/(blobs|brokers|compute|delivery|fetch|sandbox)\//

test('handlers and stores access only the database', () => {
  const files = sources.filter((file) => /^(services|packages\/testing)\/.*\/([\w-]*store|handlers)\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(40)
  const reaching = files.flatMap(importsOf).filter(({ of }) => outside.test(of))
  expect(reaching.map(({ file, of }) => `${file} imports ${of}`)).toEqual([])
})

test('a service accesses only its own blobs, and only the platform accesses all', () => {
  const reaching = sources.filter(
    (file) =>
      /^services\/(?!platform\/)/.test(file) &&
      !/\.test\.ts$|\/testing\//.test(file) &&
      /platform\s*\.\s*blobs\b|\bblobs\b[^\n]*Platform\b|\bblobs\b[^\n]*=\s*platform\b|\bownBlobs\b/.test(textOf(file)),
  )
  expect(reaching).toEqual([])
})

test('services access the registry table only through the kernel', () => {
  const naming = sources.filter(
    (file) =>
      !/^packages\/kernel\/|\.test\.ts$|\/testing\//.test(file) &&
      file !== 'services/platform/src/state/store.ts' && // a reset empties the platform's tables, too
      file !== 'services/platform/src/tenants/store.ts' && // operators see the resources of all tenants
      /\bicosa\.resources\b/.test(textOf(file)),
  )
  expect(naming).toEqual([])
})

test('only stores and the kernel contain SQL', () => {
  const wrong = sources.filter(
    (file) =>
      file.startsWith('services/') && !/store\.ts$|\.test\.ts$|\/testing\//.test(file) && /\bsql`/.test(textOf(file)),
  )
  expect(wrong).toEqual([])
})

/** Ways to keep an object open on a node that bypass `runtime`. */
const openedBeside: Readonly<Record<string, RegExp>> = {
  'finds its node in a map': /WeakMap<\s*(Platform|Blobs|Database|Queue|Clock|Vault|Service|Host)\b/,
  'opens something as it is loaded':
    /^(export )?(const|let) [^=\n]*= (?!.*=>).*\b(new (Worker|Pool|Agent|Client)\(|open[A-Z]\w*\()/m,
}

test('cookies are set with the attributes of the platform', () => {
  const setting = sources.filter(
    (file) => !/\/testing\/|\.test\.ts$/.test(file) && /'set-cookie'|cookies\.set\(/i.test(textOf(file)),
  )
  const own = [
    'services/identity-connect/src/provider/exchange/outcome.ts', // renames the library's cookies
    'services/functions/src/instances/requests/answer-headers.ts', // removes cookies set by functions
  ]
  expect(setting.filter((file) => !own.includes(file) && !textOf(file).includes('hostCookie('))).toEqual([])
})

test('a service opens its long-lived objects in `start`', () => {
  const own = sources.filter((file) => file.startsWith('services/') && !/\.test\.ts$|\/testing\//.test(file))
  const wrong = own.flatMap((file) => {
    const text = textOf(file)
    return Object.entries(openedBeside).flatMap(([what, pattern]) => (pattern.test(text) ? `${file} ${what}` : []))
  })
  expect(wrong).toEqual([])
})

/** Services with routes besides operations, and their purpose. All other routes are operations of a contract. */
const besideOperations: Readonly<Record<string, string>> = {
  'identity-connect': 'pages on which people sign in, and what the protocol library has besides its endpoints',
  'contribution-collection': 'files and their copies, zip files, and pages on which people contribute and moderate',
  banking: 'the page behind a share URL, on which people pay, and that on which they let applications act',
  functions: 'the addresses of functions: whatever method and path their callers like, answered by their code',
}

test('every service with routes besides operations is listed here', async () => {
  const listed = Object.keys(besideOperations)
  expect((await allServices()).filter(({ routes }) => routes).map(({ name }) => name)).toEqual(listed)
  const others = sources.filter((file) => file.startsWith('services/') && !listed.includes(file.split('/')[1] ?? ''))
  const framed = others.flatMap(importsOf).filter(({ of }) => /^npm:(fastify|find-my-way|express|koa|hono)\b/.test(of))
  expect(framed, 'HTTP frameworks besides the kernel’s').toEqual([])
})

test('a service that declares routes registers some', async () => {
  const having = (await allServices()).filter(({ routes }) => routes)
  expect(having.length).toBeGreaterThan(0)
  for (const { routes = () => async () => {}, ...service } of having) {
    await using whole = await startTestApp({ ...service, routes })
    await using bare = await startTestApp({ services: [service], databaseUrl: whole.databaseUrl })
    expect(whole.routes.length, service.name).toBeGreaterThan(bare.routes.length)
  }
})

/** Files of services that read the environment, and why. */
const environments: Readonly<Record<string, string>> = {
  'services/functions/src/commands/dev/program.ts': "runs the developer's program in the developer's environment",
}

test('only the app reads environment variables; services receive settings', () => {
  const wrong = sources.filter(
    (file) =>
      /^(services|packages\/(kernel|contract|dialects|settings))\//.test(file) &&
      !/\.test\.ts$|\/testing\//.test(file) &&
      /process\s*\.\s*env\b|\benv\b.*from 'node:process'|\benv\b[^\n]*=\s*process\b/.test(textOf(file)),
  )
  expect(wrong).toEqual(Object.keys(environments))
})

test('every environment variable that is mentioned is a setting', async () => {
  const ofCommands = ['ICOSA_EXPORT_KEY'] // no setting of a node
  const groups = [platformSettings, ...(await loadModules()).flatMap(({ module: { settings } }) => settings ?? [])]
  const known = groups.flatMap((group) => [
    ...group.settings.map(({ variable }) => variable),
    ...Object.keys(group.retired),
  ])
  const pages = [
    ...readdirSync(root),
    ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' }).map((file) => `docs/${file}`),
    ...readdirSync(new URL('services/', root)).map((name) => `services/${name}/README.md`),
  ].filter((file) => file.endsWith('.md'))
  const files = [...sources, ...pages].filter(
    (file) => !/node_modules|\.test\.ts$|\/testing\/|^\.|(develop\/services|test\/other-languages)\.md$/.test(file),
  )
  const unknown = files.flatMap((file) =>
    [...textOf(file).matchAll(/\bICOSA_[A-Z\d_]*[A-Z\d]\b/g)].flatMap(([name]) =>
      known.includes(name) || ofCommands.includes(name) ? [] : `${file} mentions ${name}`,
    ),
  )
  expect(unknown).toEqual([])
})

test('the manifest of every service fits one screen', () => {
  const manifests = sources.filter((file) => /^services\/[^/]+\/src\/(index|module)\.ts$/.test(file))
  expect(manifests.length).toBeGreaterThan(20)
  const long = manifests.filter((file) => textOf(file).split('\n').length > 70)
  expect(long).toEqual([])
})

test('every service has coverage tests', () => {
  const services = readdirSync(new URL('services/', root))
  expect(services.filter((name) => !sources.includes(`services/${name}/src/coverage.test.ts`))).toEqual([])
})

/** Operations without a contract, which dialects refuse: tests/gaps. */
const ofDialects: readonly string[] = [
  'api-diagnostics otherResources',
  'backup newerOperations',
  'configuration-stores managedKeyValues',
  'configuration-stores replicas',
  'hardware-security-modules outboundDependencies',
  'sql-databases otherResources',
]

test('every 501 of a service is listed in `unsupported`, and every listed 501 is returned', async () => {
  const own = sources.filter((file) => /^services\//.test(file) && !/\.test\.ts$|\/testing\//.test(file))
  const besideTable = /'notImplemented'|\bnotBuilt\((?!unsupported\.)/
  expect(own.filter((file) => besideTable.test(textOf(file)))).toEqual([])
  const listed = await Promise.all(
    (await loadModules()).map(async ({ name, module }) => {
      const text = own
        .filter((file) => file.startsWith(`services/${name}/`))
        .map(textOf)
        .join('\n')
      const built = Object.entries((await module.gaps()).unsupported).filter(([, { answer }]) => answer === 501)
      return built.map(([key]) => ({
        is: `${name}: ${key}`,
        isAnswered: text.includes(`notSupported(unsupported.${key}`) || ofDialects.includes(`${name} ${key}`),
      }))
    }),
  )
  expect(listed.flat().length).toBeGreaterThan(10)
  expect(listed.flat().flatMap(({ is, isAnswered }) => (isAnswered ? [] : is))).toEqual([])
})

/** Files that read the machine's clock, which may be wrong, and why they do. */
const machineTime: Readonly<Record<string, string>> = {
  'apps/console/src/data/catalogue.ts': "measures how far a browser's is from the platform's",
  'apps/server/src/say.ts': 'a line among those of the log',
  'apps/server/src/support/report.ts': 'a report is written where the database may be away',
  'packages/kernel/src/clock/clock.ts': 'defines it',
  'packages/kernel/src/clock/system.ts': "measures how far it is from PostgreSQL's",
  'packages/kernel/src/index.ts': 'exports it',
  'packages/sandbox/src/sandbox.ts': 'compares it with the times of files',
  'packages/telemetry/src/log.ts': 'a log line has the time of its machine, as the lines of other programs there',
  'packages/telemetry/src/traces/otlp.ts': 'a span has the time of its machine, as those of other programs there',
  'services/backup/src/moves/files.ts': 'compares it with the times of files',
  'services/contribution-collection/src/media/programs/films.ts': 'compares it with the times of files',
  'services/functions/src/instances/artifacts/artifacts.ts': 'compares it with the times of files',
  'services/unpack-analysis/src/engine/unicorn/watchdog.ts': 'two threads of one process measure a duration',
}

test("time is read from the clock on which all nodes agree, not from the machine's", () => {
  const reading = sources.filter(
    (file) =>
      !/\.test\.ts$|\/testing\//.test(file) &&
      /\bDate\.now\b|\bnew Date(\(\)|(?![\w(]))|[^\w.]Date\(\)|\bmachineClock\b|\btimeOrigin\b|\bTemporal\.Now\b/.test(
        textOf(file),
      ),
  )
  expect(reading.toSorted()).toEqual(Object.keys(machineTime))
})

test('the kernel lists its exports by name, and has at most 280', () => {
  const index = textOf('packages/kernel/src/index.ts')
  expect(index).not.toContain('export *')
  const names = [...index.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').filter((name) => name.trim()),
  )
  expect(names.length).toBeLessThanOrEqual(280) // docs/adr/0086
})
