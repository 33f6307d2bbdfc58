import { posix } from 'node:path'
import { groupsOf, layOut, searchPage, way } from './layout.ts'
import { type Rendered, renderMarkdown } from './markdown.ts'
import { placeOf, type Source, sources, titleOf } from './sources.ts'

export interface Site {
  /** By their place on the site. */
  readonly files: ReadonlyMap<string, string>
  /** Pictures of `docs`, which are copied. */
  readonly pictures: ReadonlySet<string>
}

/** All pages and the index of the search. A link that leads nowhere is a mistake, as is one to what is not on the site. */
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
    const made = renderMarkdown(source.markdown, follow(source))
    rendered.set(source.at, made)
    const title = titleOf(source.markdown)
    files.set(source.at, layOut({ at: source.at, title, content: made.content, groups }).body)
  }
  const lost = links.filter(({ to, id }) => id && !rendered.get(to)?.sections.some((one) => one.id === id))
  if (lost.length > 0) throw new Error(lost.map(({ from, to, id }) => `${from}: ${to} has no #${id}`).join('\n'))

  files.set('search.html', searchPage(groups).body)
  files.set('search.json', JSON.stringify(all.flatMap((source) => entriesOf(source, rendered.get(source.at)))))
  return { files, pictures }
}

/** Of each section the page, its own title, its place and its words. */
function entriesOf({ at, markdown }: Source, rendered: Rendered | undefined) {
  const page = titleOf(markdown)
  return (rendered?.sections ?? []).map(({ id, title, text }, number) =>
    number === 0 ? [page, page, at, text] : [page, title, `${at}#${id}`, text],
  )
}
