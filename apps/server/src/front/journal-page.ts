import { html, type Page, page } from '@icosa/pages'
import type { JournalSection } from './journal.ts'

const style = `
body{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h2{margin-top:2rem;font-size:1.125rem}
ul{list-style:none;padding:0;margin-top:.5rem}
li{padding:.5rem 0;border-bottom:1px solid var(--line)}
summary{cursor:pointer}
pre{margin-top:.5rem;padding:.75rem;overflow-x:auto;white-space:pre-wrap;background:var(--surface);border-radius:.375rem;font:.875rem/1.5 ui-monospace,monospace}
time{color:var(--muted);font-variant-numeric:tabular-nums}
`

type Entry = JournalSection['entries'][number]

const entry = ({ at, what, text }: Entry) => {
  const line = html`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')}</time> ${what}`
  return text === undefined
    ? html`<li>${line}</li>\n`
    : html`<li><details><summary>${line}</summary><pre>${text}</pre></details></li>\n`
}

const section = ({ title, service, entries }: JournalSection) => html`<h2>${title}</h2>
${service !== undefined && html`<p class="muted">${service}</p>`}
${entries.length > 0 ? html`<ul>\n${entries.map(entry)}</ul>` : html`<p>Nothing yet.</p>`}
`

/** Recent activity in development mode, latest first. Not updated until it is reloaded. */
export function journalPage(sections: readonly JournalSection[]): Page {
  return page({
    title: 'Mail, calls and events – Icosa',
    style,
    content: html`<main><p><a href="/">Home</a></p>
<h1>Mail, calls and events</h1>
<p class="muted">Mails, calls and events of the services in development mode, latest first.</p>
${sections.map(section)}</main>`,
  })
}
