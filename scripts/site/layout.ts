import { attribute, type Html, html, type Page, page } from '@icosa/pages'
import { type Source, titleOf } from './sources.ts'

/** Path of a page's Markdown, which programs read instead of its HTML. */
export const plainPlace = (at: string) => at.replace(/\.html$/, '.md')

const style = `
:root{--string:#8a4600;--number:#6d2b9e}
@media(prefers-color-scheme:dark){:root{--string:#f0c07a;--number:#d9b8ff}}
body{line-height:1.6}
.skip:not(:focus){position:absolute;inset-inline-start:-999px}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;padding:.75rem 1rem;background:var(--surface);border-bottom:1px solid var(--line)}
header>a{font-weight:700;text-decoration:none;color:var(--text)}
form{display:flex;gap:.5rem;flex:1 1 14rem;max-width:26rem;margin-inline-start:auto}
input{flex:1;min-width:0;padding:.375rem .625rem;font:inherit;color:inherit;background:var(--page);border:1px solid var(--muted);border-radius:.375rem}
button{padding:.375rem .875rem;font:inherit;font-weight:600;color:var(--accent-text);background:var(--accent);border:0;border-radius:.375rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;max-width:76rem;margin:0 auto;padding:1rem}
nav summary{padding:.25rem 0;font-weight:600;cursor:pointer}
nav ul{list-style:none;padding:0;margin:0 0 .5rem .75rem;font-size:.9375rem}
nav li{padding:.125rem 0}
nav a{text-decoration:none}
nav a[aria-current]{font-weight:700;color:var(--text)}
main{min-width:0;max-width:50rem}
main>*{margin-bottom:1rem}
h1{font-size:1.75rem}
h2{margin-top:2rem;font-size:1.25rem}
h3{margin-top:1.5rem;font-size:1.0625rem}
h2 a,h3 a{color:inherit;text-decoration:none}
h2 a:hover,h3 a:hover{text-decoration:underline}
ul,ol{padding-inline-start:1.5rem}
li>p{margin:0}
pre{overflow-x:auto;padding:.75rem 1rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius);line-height:1.45;overflow-wrap:normal}
pre.printed{background:none}
.code{position:relative}
.code button{position:absolute;top:-.75rem;inset-inline-end:.5rem;padding:0 .5rem;font-size:.8125rem;line-height:1.375rem;color:var(--text);background:var(--page);border:1px solid var(--muted)}
code{font:.875em ui-monospace,monospace}
[role=tablist]{display:flex;gap:.25rem;margin-top:2rem;border-bottom:1px solid var(--line)}
[role=tab]{color:var(--text);background:none;border-radius:0;border-bottom:3px solid transparent}
[role=tab][aria-selected=true]{border-color:var(--accent)}
.languages section>*{margin-bottom:1rem}
[role=tabpanel]>:first-child{margin-top:1rem}
.comment{color:var(--muted)}
.keyword{color:var(--accent)}
.string{color:var(--string)}
.number{color:var(--number)}
pre code{font-size:.8125rem}
img{max-width:100%;height:auto}
@media(min-width:60rem){header .pages{display:none}.columns{grid-template-columns:17rem minmax(0,1fr);gap:2.5rem}main{grid-area:1/2}nav{grid-area:1/1;position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow-y:auto}}
`

/** Adds a button to every block of commands or code, and makes tabs of programs in different languages: the choice is kept. */
export const enhancing = `
for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  block.append(button)
}
for (const group of document.querySelectorAll('.languages')) {
  const panels = [...group.children]
  const list = document.createElement('div')
  list.role = 'tablist'
  list.ariaLabel = 'Language'
  const tabs = panels.map((panel) => {
    const tab = document.createElement('button')
    const heading = panel.querySelector('h2')
    tab.type = 'button'
    tab.role = 'tab'
    tab.id = 'tab-' + heading.id
    tab.textContent = panel.dataset.language
    tab.setAttribute('aria-controls', heading.id)
    panel.role = 'tabpanel'
    panel.id = heading.id
    panel.setAttribute('aria-labelledby', tab.id)
    heading.remove()
    return tab
  })
  const select = (chosen) => tabs.forEach((tab, place) => {
    tab.ariaSelected = place === chosen
    tab.tabIndex = place === chosen ? 0 : -1
    panels[place].hidden = place !== chosen
  })
  const choose = (place) => {
    select(place)
    localStorage.setItem('language', panels[place].dataset.language)
  }
  list.addEventListener('click', ({ target }) => tabs.includes(target) && choose(tabs.indexOf(target)))
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (step === undefined) return
    const place = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length
    choose(place)
    tabs[place].focus()
  })
  const follow = () => {
    const place = panels.findIndex((panel) => '#' + panel.id === location.hash)
    if (place >= 0) select(place)
  }
  list.append(...tabs)
  group.prepend(list)
  select(Math.max(0, panels.findIndex((panel) => panel.dataset.language === localStorage.getItem('language'))))
  follow()
  addEventListener('hashchange', follow)
}
`

/** Finds sections that contain all words; title matches rank highest. Decisions are listed separately. */
const searching = `
const query = new URLSearchParams(location.search).get('q') ?? ''
document.querySelector('input').value = query
const words = query.toLowerCase().split(/\\s+/).filter(Boolean)
const results = document.querySelector('#results')
const score = ([page, title, , text]) => {
  const places = [[title, 8], [page, 4], [text, 1]].map(([place, weight]) => [place.toLowerCase(), weight])
  const each = words.map((word) => Math.max(...places.map(([place, weight]) => place.includes(word) ? weight : 0)))
  return each.every((points) => points > 0) ? each.reduce((sum, points) => sum + points, 0) : 0
}
const excerpt = (text) => {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]) - 80)
  return (at > 0 ? '…' : '') + text.slice(at, at + 240) + (text.length > at + 240 ? '…' : '')
}
const item = ([page, title, at, text]) => {
  const [li, link, where] = ['li', 'a', 'p'].map((name) => document.createElement(name))
  link.href = at
  link.textContent = title === page ? title : page + ' – ' + title
  where.className = 'muted'
  where.textContent = excerpt(text)
  li.append(link, where)
  return li
}
const show = (title, entries) => {
  if (entries.length === 0) return
  const [heading, list] = ['h2', 'ol'].map((name) => document.createElement(name))
  heading.textContent = title
  list.append(...entries.slice(0, 30).map(item))
  results.append(heading, list)
}
if (words.length > 0) {
  const all = (await (await fetch('search.json')).json()).map((entry) => [score(entry), entry])
  const matches = all.filter(([points]) => points > 0).sort(([a], [b]) => b - a).map(([, entry]) => entry)
  if (matches.length === 0) results.textContent = 'No page contains all of these words.'
  show('Pages', matches.filter((entry) => !entry[4]))
  show('Decisions', matches.filter((entry) => entry[4]))
}
`

export interface Group {
  readonly title: string
  readonly pages: readonly { readonly at: string; readonly title: string }[]
}

/** The site's navigation, by audience. Decisions have an index page of their own. */
export function groupsOf(all: readonly Source[], reference: Group['pages']): readonly Group[] {
  const group = (title: string, paths: RegExp): Group => {
    const pages = all.filter(({ path }) => paths.test(path))
    return {
      title,
      pages: pages.map((page) => ({ at: page.at, title: page.path === 'README.md' ? 'What it is' : titleOf(page) })),
    }
  }
  return [
    group('Start', /^(docs\/)?README\.md$|^docs\/(start|test)\//),
    group('Guides', /^docs\/guides\//),
    group('Services', /^services\//),
    { title: 'API reference', pages: reference },
    group('Operate', /^docs\/operate\//),
    group('Benchmarks', /^docs\/benchmarks\//),
    group('Develop', /^[A-QS-Z]+\.md$|^docs\/develop\/|^docs\/adr\/README\.md$|^packages\//),
  ]
}

/** Relative URL from one page of the site to another. */
export const way = (from: string, to: string) => '../'.repeat(from.split('/').length - 1) + to

function navigation(groups: readonly Group[], at: string): Html {
  const link = ({ at: to, title }: Group['pages'][number]) =>
    html`<li><a href="${way(at, to)}"${attribute('aria-current', to === at && 'page')}>${title}</a></li>\n`
  const group = ({ title, pages }: Group) => {
    const isOpen = pages.some((page) => page.at === at)
    return html`<details${attribute('open', isOpen)}><summary>${title}</summary><ul>\n${pages.map(link)}</ul></details>\n`
  }
  return html`<nav id="pages" aria-label="Pages">${groups.map(group)}</nav>`
}

export interface Laid {
  readonly at: string
  readonly title: string
  readonly content: readonly Html[]
  readonly groups: readonly Group[]
  readonly script?: string
  /** CSS in addition to the style of all pages. */
  readonly ownStyle?: string
  /** Whether the page is there as Markdown, too. */
  readonly hasPlain?: boolean
}

export function layOut({ at, title, content, groups, script = enhancing, ownStyle = '', hasPlain = true }: Laid): Page {
  return page({
    title: title === 'Icosa' ? title : `${title} – Icosa`,
    style: style + ownStyle,
    script,
    may: ['send', 'ask', 'show'],
    isFile: true,
    content: html`<a class="skip" href="#content">To the content</a>
<header><a href="${way(at, 'index.html')}">Icosa</a> <a class="pages" href="#pages">Pages</a>
<form action="${way(at, 'search.html')}" role="search"><input type="search" name="q" aria-label="Search" placeholder="Search"><button>Search</button></form></header>
<div class="columns"><main id="content">${content}${hasPlain && html`<p class="muted"><a href="${way(at, plainPlace(at))}">This page as Markdown</a></p>`}</main>
${navigation(groups, at)}</div>`,
  })
}

export function searchPage(groups: readonly Group[]): Page {
  const content = [
    html`<h1>Search</h1>
<div id="results" role="status"><noscript>The search needs JavaScript. All pages are listed next to it.</noscript></div>`,
  ]
  return layOut({ at: 'search.html', title: 'Search', content, groups, script: searching, hasPlain: false })
}
