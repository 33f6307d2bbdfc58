import { posix } from 'node:path'
import { groupsOf, layOut, searchPage, way } from './layout.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { fullTitleOf, isDecision, placeOf, type Source, sources } from './sources.ts'

export interface Site {
  /** Files by path on the site. */
  readonly files: ReadonlyMap<string, string>
  /** Pictures in `docs` to be copied. */
  readonly pictures: ReadonlySet<string>
}

/** All pages and the search index. Throws on broken links and links to files that are not on the site. */
export async function buildSite(): Promise<Site> {
  const all = await sources()
  const places = new Map(all.map(({ path, at }) => [path, at]))
  const pictures = new Set<string>()
  const links: { readonly from: string; readonly to: string; readonly id: string }[] = []

  const follow = (source: Source) => (href: string) => {
    if (/^https?:/.test(href)) return href
    const [file = '', id = ''] = href.split('#')
    const target = file === '' ? source.path : posix.join(posix.dirname(source.path), file).replace(/\/$/, '')
    if (/^docs\/.*\.svg$/.test(target)) {
      pictures.add(target)
      return way(source.at, placeOf(target))
    }
    const to = places.get(target) ?? places.get(`${target}/README.md`)
    if (to === undefined) throw new Error(`${source.path} leads to ${target}, which is not on the site.`)
    links.push({ from: source.path, to, id })
    return (file === '' ? '' : way(source.at, to)) + (id && `#${id}`)
  }

  const groups = groupsOf(all)
  const rendered = new Map<string, Rendered>()
  const files = new Map<string, string>()
  for (const source of all) {
    const page = renderMarkdown(source.markdown, follow(source))
    rendered.set(source.at, page)
    files.set(source.at, layOut({ at: source.at, title: fullTitleOf(source), content: page.content, groups }).body)
  }
  const broken = links.filter(({ to, id }) => id && !rendered.get(to)?.sections.some((section) => section.id === id))
  if (broken.length > 0) throw new Error(broken.map(({ from, to, id }) => `${from}: ${to} has no #${id}`).join('\n'))

  files.set('search.html', searchPage(groups).body)
  files.set('search.json', JSON.stringify(all.flatMap((source) => entriesOf(source, rendered.get(source.at)))))
  return { files, pictures }
}

/** For each section: page title, own title, URL, words, and whether it belongs to a decision. */
function entriesOf(source: Source, rendered: Rendered | undefined) {
  const [page, kind] = [fullTitleOf(source), isDecision(source) ? 1 : 0]
  return (rendered?.sections ?? []).map(({ id, title, text }, number) =>
    number === 0 ? [page, page, source.at, text, kind] : [page, title, `${source.at}#${id}`, text, kind],
  )
}
