import { readdirSync, readFileSync } from 'node:fs'

export const root = new URL('../../', import.meta.url)

const packages = readdirSync(new URL('packages/', root))

/** Every file of the project's own code, tests included. */
export const sources = ['packages', 'services', 'apps']
  .flatMap((top) =>
    readdirSync(new URL(`${top}/`, root), { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`),
  )
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))

export const textOf = (file: string) => readFileSync(new URL(file, root), 'utf8')

export interface Import {
  readonly file: string
  readonly of: string
  /** Whether the import is erased at compile time. */
  readonly isType: boolean
}

const statements =
  /(?:^|\n)\s*(?:import|export)\b(?<names>[^'"\n;]*?(?:\{[^}]*\}[^'"\n;]*?)?)from\s*['"](?<from>[^'"]+)['"]|import\(\s*['"](?<later>[^'"]+)['"]\s*\)/g

export function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(statements)].map(({ groups = {} }) => ({
    file,
    of: resolved(file, groups.from ?? groups.later ?? ''),
    isType: groups.later !== undefined || isErased(groups.names ?? ''),
  }))
}

/** `type { A }`, or `{ type A, type B }`. */
function isErased(names: string): boolean {
  if (/^\s*type\b/.test(names)) return true
  const [, listed] = /^\s*\{([^}]*)\}\s*$/.exec(names) ?? []
  const each = listed?.split(',').flatMap((name) => name.trim() || [])
  return each !== undefined && each.length > 0 && each.every((name) => name.startsWith('type '))
}

/** A path inside the project, `node:...`, or `npm:...`. */
function resolved(file: string, name: string): string {
  if (name.startsWith('.')) return new URL(name, `file:///${file}`).pathname.slice(1)
  if (name.startsWith('node:')) return name
  const own = /^@icosa\/([^/]+)(?:\/(.+))?$/.exec(name)
  if (!own) return `npm:${name}`
  const [, workspace, sub] = own
  if (workspace === 'dialects') return dialectFile(sub ?? '')
  if (!packages.includes(workspace ?? '')) return `services/${workspace}/src/${sub ?? 'index'}.ts`
  const { exports } = JSON.parse(textOf(`packages/${workspace}/package.json`))
  return `packages/${workspace}/${exports[sub ? `./${sub}` : '.'].slice(2)}`
}

/** `keyed` is a contract half, `keyed/server` a server half, `bearer` a file that several server halves share. */
function dialectFile(sub: string): string {
  const isHalf = sub.includes('/') || ['bearer', 'status'].includes(sub)
  return `packages/dialects/src/${isHalf ? sub : `${sub}/contract`}.ts`
}

/** Cells of each row of the page's first table with this header. */
export function tableOf(file: string, header: string): string[][] {
  const lines = textOf(file).split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${header} |`))
  const rows = lines.slice(start + 2)
  return rows
    .slice(
      0,
      rows.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const workspaces = new Map(
  tableOf('ARCHITECTURE.md', 'Workspace').map(([name = '', , may = '']) => [name.replaceAll('`', ''), may]),
)

/** Packages that ARCHITECTURE.md allows a workspace to import. */
export function mayImport(workspace: string): readonly string[] {
  const may = workspaces.get(workspace)
  if (may === undefined) throw new Error(`ARCHITECTURE.md has no row for ${workspace}.`)
  if (may.startsWith('all')) return packages
  return may
    .split(';', 1)
    .flatMap((names) => names.split(', '))
    .filter((name) => name !== 'nothing')
}
