import { posix } from 'node:path'
import { type Html, html } from '@icosa/pages'
import { type ApiDocument, documentsOf } from '../../apps/server/src/front/documents.ts'
import { withPlatform } from '../../apps/server/src/node.ts'
import { allServices } from '../../apps/server/src/services.ts'
import { enhancing, groupsOf, layOut, plainPlace, searchPage, way } from './layout.ts'
import { type Rendered, renderMarkdown, type Section } from './markdown.ts'
import { llmsText, plainPage, plainReference } from './plain.ts'
import { examplesOf } from './reference/example.ts'
import { referenceOf, referenceStyle } from './reference/page.ts'
import { referenceScript } from './reference/script.ts'
import { fullTitleOf, isDecision, placeOf, type Source, sources } from './sources.ts'

export interface Site {
  /** Files by path on the site. */
  readonly files: ReadonlyMap<string, string>
  /** Pictures and data in `docs` to be copied. */
  readonly copies: ReadonlySet<string>
}

/** All pages and the search index. Throws on broken links and links to files that are not on the site. */
export async function buildSite(): Promise<Site> {
  const all = await sources()
  const places = new Map(all.map(({ path, at }) => [path, at]))
  const copies = new Set<string>()
  const links: { readonly from: string; readonly to: string; readonly id: string }[] = []

  const follow = (source: Source) => (href: string) => {
    if (/^https?:/.test(href)) return href
    const [file = '', id = ''] = href.split('#')
    const target = file === '' ? source.path : posix.join(posix.dirname(source.path), file).replace(/\/$/, '')
    if (/^docs\/.*\.(?:json|png|svg)$/.test(target)) {
      copies.add(target)
      return way(source.at, placeOf(target))
    }
    const to = places.get(target) ?? places.get(`${target}/README.md`)
    if (to === undefined) throw new Error(`${source.path} leads to ${target}, which is not on the site.`)
    links.push({ from: source.path, to, id })
    return (file === '' ? '' : way(source.at, to)) + (id && `#${id}`)
  }

  const documents = documentsOf(withPlatform(await allServices(), 'virtual'))
  const reference = documents
    .map(({ name, document }) => ({ at: `reference/${name}.html`, title: document.info.title }))
    .toSorted((a, b) => a.title.localeCompare(b.title))
  const groups = groupsOf(all, reference)
  const rendered = new Map<string, Rendered>()
  const files = new Map<string, string>()
  const entries: Entry[] = []
  for (const source of all) {
    const { at } = source
    const page = renderMarkdown(source.markdown, follow(source))
    const title = fullTitleOf(source)
    rendered.set(at, page)
    entries.push(...entriesOf({ at, title, isDecision: isDecision(source) }, page.sections))
    const content = [...page.content, ...referencesOf(source, documents)]
    files.set(at, layOut({ at, title, content, groups }).body)
    files.set(plainPlace(at), plainPage(source, places))
  }
  const broken = links.filter(({ to, id }) => id && !rendered.get(to)?.sections.some((section) => section.id === id))
  if (broken.length > 0) throw new Error(broken.map(({ from, to, id }) => `${from}: ${to} has no #${id}`).join('\n'))

  for (const api of documents) {
    const at = `reference/${api.name}.html`
    const examples = await examplesOf(api.service.name)
    const { title, content, sections } = referenceOf(api, examples)
    const script = enhancing + referenceScript
    files.set(at, layOut({ at, title, content, groups, script, ownStyle: referenceStyle }).body)
    files.set(plainPlace(at), plainReference(api))
    files.set(`reference/${api.service.name}.json`, JSON.stringify(examples))
    entries.push(...entriesOf({ at, title, isDecision: false }, sections))
  }
  files.set('search.html', searchPage(groups).body)
  files.set('llms.txt', llmsText(groups))
  files.set('search.json', JSON.stringify(entries))
  return { files, copies }
}

/** Links from the page of a service to its references. */
function referencesOf({ path, at }: Source, documents: readonly ApiDocument[]): Html[] {
  const own = documents.filter(({ service }) => path === `services/${service.name}/README.md`)
  if (own.length === 0) return []
  const links = own.map(
    ({ name, document }) => html`<li><a href="${way(at, `reference/${name}.html`)}">${document.info.title}</a></li>`,
  )
  return [html`<h2 id="api-reference">API reference</h2><ul>${links}</ul>`]
}

/** Page title, own title, URL, words, and whether it belongs to a decision. */
type Entry = readonly [page: string, title: string, at: string, text: string, kind: number]

interface Indexed {
  readonly at: string
  readonly title: string
  readonly isDecision: boolean
}

function entriesOf({ at, title: page, isDecision: isOne }: Indexed, sections: readonly Section[]): Entry[] {
  const kind = isOne ? 1 : 0
  return sections.map(({ id, title, text }, number) =>
    number === 0 ? [page, page, at, text, kind] : [page, title, `${at}#${id}`, text, kind],
  )
}
