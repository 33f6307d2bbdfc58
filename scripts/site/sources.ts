import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** A page of the repository and its path on the site. */
export interface Source {
  /** From the root of the repository: `docs/guides/backup.md`. */
  readonly path: string
  /** From the root of the site: `guides/backup.html`. */
  readonly at: string
  readonly markdown: string
}

const loose = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md']

/** `docs/a.md` becomes `a.html`, a service's or package's README gets its name, any other is its folder's index. */
export function placeOf(path: string): string {
  if (path === 'docs/README.md') return 'documentation.html'
  const inside = path.replace(/^docs\//, '').replace(/^((?:services|packages)\/[^/]+)\/README\.md$/, '$1.md')
  const named = inside.replace(/(^|\/)README\.md$/, '$1index.md')
  return (named.includes('/') ? named : named.toLowerCase()).replace(/\.md$/, '.html')
}

async function markdownIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true })
  return names.filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name))
}

async function readmesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(root, folder))
  return names.map((name) => posix.join(folder, name, 'README.md'))
}

export async function sources(): Promise<readonly Source[]> {
  const readmes = [...(await readmesIn('services')), ...(await readmesIn('packages'))]
  const paths = [...loose, ...(await markdownIn('docs')), ...readmes]
  const read = paths.sort().map(async (path) => {
    const markdown = await readFile(join(root, path), 'utf8').catch(() => undefined)
    return markdown === undefined ? [] : [{ path, at: placeOf(path), markdown }]
  })
  return (await Promise.all(read)).flat()
}

export const titleOf = ({ markdown }: Source) => (/^# (.+)$/m.exec(markdown)?.[1] ?? '').replace(/^\d+\.? /, '')

/** Title for the browser tab and the search, with the name of a guide's service. */
export function fullTitleOf(source: Source): string {
  const [, service] = /^docs\/guides\/([a-z-]+)\.md$/.exec(source.path) ?? []
  return titleOf(source) + (service === undefined ? '' : ` (${service})`)
}

export const isDecision = ({ path }: Source) => /^docs\/adr\/\d/.test(path)
