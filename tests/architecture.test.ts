import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../', import.meta.url)

/** Who may import whom. The first row that fits a file counts; `may` are patterns of what its imports resolve to. */
const rules: readonly { readonly files: RegExp; readonly may: readonly RegExp[]; readonly why: string }[] = [
  {
    files: /^packages\/contract\/src\//,
    may: [/^packages\/contract\//],
    why: 'a contract is pure data: it also runs in a browser',
  },
  {
    files: /^(services\/[^/]+|packages\/testing)\/src\/(.*\/)?(contract|names)\.ts$/,
    may: [/^packages\/contract\//, /^packages\/dialects\/src\/\w+\/contract\.ts$/, /\/(contract|names)\.ts$/],
    why: 'a contract knows no server, no store and no node: module',
  },
  {
    files: /^packages\/dialects\/src\/\w+\/contract\.ts$/,
    may: [/^packages\/contract\//, /^packages\/dialects\/src\/\w+\/contract\.ts$/],
    why: 'the contract half of a dialect runs in a browser, too',
  },
  {
    files: /^packages\/kernel\//,
    may: [/^packages\/(kernel|contract)\//, /^node:/, /^npm:/],
    why: 'the kernel knows neither dialects nor services',
  },
  {
    files: /^packages\/dialects\//,
    may: [/^packages\/(dialects|kernel|contract)\//, /^node:/, /^npm:/],
    why: 'a dialect knows no service',
  },
  {
    files: /^packages\/(blobs|brokers|fetch|sandbox|tokens)\//,
    may: [/^packages\/(blobs|brokers|fetch|sandbox|tokens|kernel)\//, /^node:/, /^npm:/],
    why: 'an adapter of the kernel knows no service',
  },
  {
    files: /^packages\/client\//,
    may: [/^packages\/(client|contract)\//],
    why: 'a client needs contracts, nothing else',
  },
  {
    files: /^packages\/testing\//,
    may: [/^packages\//, /^node:/, /^npm:/],
    why: 'the test kit is for all services, so it knows none',
  },
]

const inService = (name: string, isTest: boolean) => [
  new RegExp(`^services/${name}/`),
  /^packages\/(brokers|contract|dialects|kernel|sandbox|tokens)\//,
  /^node:/,
  /^npm:/,
  ...(isTest ? [/^packages\/(testing|client)\//] : []),
]

interface Import {
  readonly file: string
  readonly of: string
}

const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => /^(packages|services|apps)\/.*\.ts$/.test(file) && !file.includes('node_modules'),
)

function importsOf(file: string): Import[] {
  const text = readFileSync(new URL(file, root), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g,
  )
  return [...found].map(([, plain, dynamic]) => ({ file, of: resolved(file, plain ?? dynamic ?? '') }))
}

/** A path inside the project, `node:...`, or `npm:...`. */
function resolved(file: string, name: string): string {
  if (name.startsWith('.')) return new URL(name, `file:///${file}`).pathname.slice(1)
  if (name.startsWith('node:')) return name
  const own = /^@icosa\/([^/]+)(?:\/(.+))?$/.exec(name)
  if (!own) return `npm:${name}`
  const [, workspace, sub] = own
  if (workspace === 'dialects') return dialectFile(sub ?? '')
  if (
    ['blobs', 'brokers', 'client', 'contract', 'fetch', 'kernel', 'sandbox', 'testing', 'tokens'].includes(
      workspace ?? '',
    )
  )
    return `packages/${workspace}/src/index.ts`
  return `services/${workspace}/src/${sub ?? 'index'}.ts`
}

/** `keyed` is a contract half, `keyed/server` a server half, `bearer` a file that several server halves share. */
function dialectFile(sub: string): string {
  const isHalf = sub.includes('/') || ['bearer', 'status'].includes(sub)
  return `packages/dialects/src/${isHalf ? sub : `${sub}/contract`}.ts`
}

function broken({ file, of }: Import): string | undefined {
  const isTest = /\.test\.ts$|\/testing\//.test(file)
  const service = /^services\/([^/]+)\//.exec(file)?.[1]
  const rule = rules.find(({ files }) => files.test(file) && !isTest)
  if (rule) return rule.may.some((may) => may.test(of)) ? undefined : `${file} imports ${of}: ${rule.why}`
  if (!service) return undefined
  if (inService(service, isTest).some((may) => may.test(of))) return undefined
  return `${file} imports ${of}: a service never imports another one, nor the app`
}

test('everybody imports only whom they may', () => {
  const all = sources.flatMap(importsOf)
  expect(all.length).toBeGreaterThan(100)
  expect(all.flatMap((one) => broken(one) ?? [])).toEqual([])
})

/** What reaches outside the database. In handlers it is found behind `before`, in files with names of their own. */
const outside =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|tls|worker_threads)(\/|$)|^npm:undici$|^packages\/(blobs|brokers|fetch|sandbox)\//

test('handlers and stores reach nothing but the database', () => {
  const files = sources.filter((file) => /^(services|packages\/testing)\/.*\/([\w-]*store|handlers)\.ts$/.test(file))
  expect(files.length).toBeGreaterThan(40)
  const reaching = files.flatMap(importsOf).filter(({ of }) => outside.test(of))
  expect(reaching.map(({ file, of }) => `${file} imports ${of}`)).toEqual([])
})

test('SQL stands in stores, in the kernel and nowhere else', () => {
  const wrong = sources.filter(
    (file) =>
      file.startsWith('services/') &&
      !/store\.ts$|\.test\.ts$|\/testing\//.test(file) &&
      /\bsql`/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  expect(wrong).toEqual([])
})

test('time is read from the clock', () => {
  const wrong = sources.filter(
    (file) =>
      !/\.test\.ts$|\/clock\/|\/testing\/|telemetry\/log\.ts$/.test(file) &&
      /Date\.now\(\)|new Date\(\)/.test(readFileSync(new URL(file, root), 'utf8')),
  )
  expect(wrong).toEqual([])
})

test('the kernel stays small and no file grows too long', () => {
  const count = (file: string) => readFileSync(new URL(file, root), 'utf8').split('\n').length
  const long = sources.filter((file) => count(file) > 300)
  expect(long).toEqual([])
  const kernel = sources.filter(
    (file) =>
      /^packages\/(contract|kernel)\/src\/|^packages\/dialects\/src\/(keyed\/|[^/]+$)/.test(file) &&
      !/\.(test|check)\.ts$|conformance|\/testing\//.test(file),
  )
  const lines = kernel.reduce((sum, file) => sum + count(file), 0)
  console.log(`contract + kernel + keyed: ${lines} lines in ${kernel.length} files`)
  expect(lines).toBeLessThan(6000) // docs/adr/0023
})
