import { posix } from 'node:path'
import type { ApiDocument } from '../../apps/server/src/front/documents.ts'
import { type Group, plainPlace, way } from './layout.ts'
import type { Source } from './sources.ts'

/** The Markdown of a page, with links to the Markdown of other pages. Links in code lead nowhere and stay as they are. */
export function plainPage({ path, at, markdown }: Source, places: ReadonlyMap<string, string>): string {
  return markdown.replaceAll(/\]\(([^()\s#]+)(#[^()\s]*)?\)/g, (link, file: string, id = '') => {
    const target = posix.join(posix.dirname(path), file).replace(/\/$/, '')
    const to = places.get(target) ?? places.get(`${target}/README.md`)
    return to === undefined ? link : `](${way(at, plainPlace(to))}${id})`
  })
}

interface Described {
  readonly operationId: string
  readonly summary?: string
}

/** The operations of an API as Markdown. */
export function plainReference({ name, document }: ApiDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { operationId, summary = '' } = operation as Described
      return `| \`${operationId}\` | \`${method.toUpperCase()} ${path}\` | ${summary.replaceAll('|', '\\|')} |`
    }),
  )
  return `# ${document.info.title}

Paths begin with \`${document.servers[0]?.url}\`. A running instance describes parameters, bodies and replies in OpenAPI 3.1, at \`/openapi/${name}\`.

| Operation | Request | |
|---|---|---|
${rows.join('\n')}
`
}

/** The index for programs: https://llmstxt.org. */
export function llmsText(groups: readonly Group[]): string {
  const sections = groups.map(({ title, pages }) => {
    const links = pages.map((page) => `- [${page.title}](${plainPlace(page.at)})`)
    return `## ${title}\n\n${links.join('\n')}\n`
  })
  return `# Icosa

> Twenty public HTTP APIs on one platform that you run yourself, for tests and for production. Unmodified SDKs work with it.

Every page is there as Markdown, under these names. \`icosa mcp\` lets assistants call a running instance.

${sections.join('\n')}`
}
