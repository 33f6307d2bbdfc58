import { attribute, type Html, html } from '@icosa/pages'
import { lexer, type Token, type Tokens } from 'marked'
import { highlight } from './highlight.ts'

/** A heading with the text below it, for the search. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly text: string
}

/** A rendered page. HTML in the Markdown itself is dropped, except for pictures. */
export interface Rendered {
  readonly content: readonly Html[]
  readonly sections: readonly Section[]
}

/** Maps a link to its URL on the site. */
type Follow = (href: string) => string

export function renderMarkdown(markdown: string, follow: Follow): Rendered {
  const tokens = lexer(markdown)
  const slug = slugs()
  const sections: { id: string; title: string; words: string[] }[] = []
  const parts: Part[] = [{ language: undefined, content: [] }]
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = wordsOf(token)
      sections.push({ id: slug(title), title, words: [] })
      parts.push({ language: languageOf(title), content: [] })
    } else sections.at(-1)?.words.push(wordsOf(token))
    parts.at(-1)?.content.push(block(token, follow, sections.at(-1)?.id ?? ''))
  }
  return {
    content: withLanguages(parts),
    sections: sections.map(({ id, title, words }) => ({ id, title, text: words.join(' ') })),
  }
}

/** A heading with the blocks below it. */
interface Part {
  /** Set if the part shows in one language what its neighbours show in others. */
  readonly language: string | undefined
  readonly content: Html[]
}

const languageOf = (title: string) => /^With (TypeScript|Python)$/.exec(title)?.[1]

/** Groups parts in different languages. The page's script makes tabs of them; without it, they follow each other. */
function withLanguages(parts: readonly Part[]): Html[] {
  return parts.flatMap(({ language, content }, start) => {
    if (language === undefined) return content
    if (parts[start - 1]?.language !== undefined) return []
    const end = parts.findIndex((part, place) => place > start && part.language === undefined)
    const sections = parts
      .slice(start, end < 0 ? parts.length : end)
      .map((part) => html`<section data-language="${part.language ?? ''}">${part.content}</section>\n`)
    return [html`<div class="languages">${sections}</div>\n`]
  })
}

/** Heading ids as on GitHub, so that links work in both places. */
function slugs(): (title: string) => string {
  const used = new Map<string, number>()
  return (title) => {
    const base = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const times = used.get(base) ?? 0
    used.set(base, times + 1)
    return times === 0 ? base : `${base}-${times}`
  }
}

const inner = (token: Token): readonly Token[] => ('tokens' in token ? (token.tokens ?? []) : [])

function wordsOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows]
      .flat()
      .map((cell) => cell.tokens.map(wordsOf).join(''))
      .join(' ')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(wordsOf).join(' ')
  if (token.type === 'html') return ''
  const below = inner(token)
  return below.length > 0 ? below.map(wordsOf).join('') : 'text' in token ? String(token.text) : ''
}

function block(token: Token, follow: Follow, id: string): Html {
  const spans = () => inline(inner(token), follow)
  switch (token.type) {
    case 'heading':
      return heading((token as Tokens.Heading).depth, id, spans())
    case 'paragraph':
      return html`<p>${spans()}</p>\n`
    case 'text':
      return html`${spans()}`
    case 'code':
      return code(token as Tokens.Code)
    case 'blockquote':
      return html`<blockquote>${inner(token).map((one) => block(one, follow, ''))}</blockquote>\n`
    case 'list':
      return list(token as Tokens.List, follow)
    case 'table':
      return table(token as Tokens.Table, follow)
    case 'hr':
      return html`<hr>\n`
    case 'html':
      return picture((token as Tokens.HTML).text, follow)
    case 'space':
    case 'def':
      return html``
    default:
      throw new Error(`A page has a ${token.type}, which the site does not know.`)
  }
}

/** Input gets a copy button, output its own style. A word after the language names the block for tests. */
function code({ lang = '', text }: Tokens.Code): Html {
  const [language = ''] = lang.split(' ')
  const lines = html`<code>${highlight(language, text)}</code>`
  if (['json', 'text', ''].includes(lang)) return html`<pre tabindex="0" class="printed">${lines}</pre>\n`
  return html`<div class="code"><pre tabindex="0">${lines}</pre></div>\n`
}

const pictured =
  /<picture>\s*<source media="([^"]+)" srcset="([^"]+)">\s*<img alt="([^"]+)" src="([^"]+)">\s*<\/picture>/

/** A picture with a version for dark mode. */
function picture(text: string, follow: Follow): Html {
  const [, media, dark, alt, light] = pictured.exec(text) ?? []
  if (!media || !dark || !alt || !light) return html``
  return html`<picture><source media="${media}" srcset="${follow(dark)}"><img alt="${alt}" src="${follow(light)}"></picture>\n`
}

function heading(depth: number, id: string, title: readonly Html[]): Html {
  if (depth === 1) return html`<h1 id="${id}">${title}</h1>\n`
  if (depth === 2) return html`<h2 id="${id}"><a href="#${id}">${title}</a></h2>\n`
  return html`<h3 id="${id}"><a href="#${id}">${title}</a></h3>\n`
}

function list({ ordered, start, items }: Tokens.List, follow: Follow): Html {
  const rows = items.map((item) => html`<li>${item.tokens.map((token) => block(token, follow, ''))}</li>\n`)
  return ordered ? html`<ol${attribute('start', start || 1)}>\n${rows}</ol>\n` : html`<ul>\n${rows}</ul>\n`
}

function table({ header, rows }: Tokens.Table, follow: Follow): Html {
  const spans = (cell: Tokens.TableCell) => inline(cell.tokens, follow)
  const isEmpty = header.every(({ text }) => text.trim() === '')
  const head = html`<thead><tr>${header.map((cell) => (cell.text.trim() === '' ? html`<td></td>` : html`<th scope="col">${spans(cell)}</th>`))}</tr></thead>`
  return html`<div class="wide" tabindex="0" role="group" aria-label="Table"><table>${!isEmpty && head}<tbody>
${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${spans(cell)}</td>`)}</tr>\n`)}</tbody></table></div>\n`
}

function inline(tokens: readonly Token[], follow: Follow): Html[] {
  return tokens.map((token) => {
    const spans = () => inline(inner(token), follow)
    switch (token.type) {
      case 'text':
      case 'escape':
        return inner(token).length > 0 ? html`${spans()}` : html`${(token as Tokens.Text).text}`
      case 'codespan':
        return html`<code>${(token as Tokens.Codespan).text}</code>`
      case 'strong':
        return html`<strong>${spans()}</strong>`
      case 'em':
        return html`<em>${spans()}</em>`
      case 'del':
        return html`<del>${spans()}</del>`
      case 'br':
        return html`<br>`
      case 'link':
        return html`<a href="${follow((token as Tokens.Link).href)}">${spans()}</a>`
      case 'image':
        return html`<img src="${follow((token as Tokens.Image).href)}" alt="${(token as Tokens.Image).text}">`
      case 'html':
        return html``
      default:
        throw new Error(`A line has a ${token.type}, which the site does not know.`)
    }
  })
}
