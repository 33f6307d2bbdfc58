import { type Html, html, type Page, page as wholePage } from '@icosa/pages'
import type { FastifyReply } from 'fastify'

/** Mobile first. */
const style = `
body{padding:1rem;display:grid;justify-content:center;grid-template-columns:minmax(0,34rem)}
body.wide-page{grid-template-columns:minmax(0,64rem)}
main{display:grid;gap:1.25rem;padding:clamp(1rem,5vw,2rem);background:var(--surface);border:1px solid var(--line);
border-radius:calc(var(--radius)*1.5)}
form,.field,fieldset{display:grid;gap:.375rem;min-width:0}form{gap:1.25rem}
fieldset{border:1px solid var(--line);border-radius:var(--radius);padding:1rem;gap:.75rem}
legend{font-weight:600;padding:0 .375rem}
h2{font-size:1.125rem;line-height:1.3}
input,textarea,select,button,.button{width:100%;min-height:3rem;padding:.5rem .75rem;border-radius:var(--radius);font:inherit;
border:1px solid color-mix(in srgb,var(--text) 55%,var(--surface));background:var(--surface);color:var(--text)}
textarea{min-height:7rem;resize:vertical}
input[type=checkbox]{width:1.5rem;min-height:1.5rem;height:1.5rem;margin-top:.125rem;accent-color:var(--accent);flex:none}
.check{display:flex;gap:.75rem;align-items:flex-start}.check label{font-weight:400}
button,.button{display:flex;align-items:center;justify-content:center;border-color:transparent;background:var(--accent);
color:var(--accent-text);font-weight:600;text-decoration:none;cursor:pointer}
button:disabled{opacity:.6;cursor:progress}
.secondary{background:none;color:var(--accent);border-color:color-mix(in srgb,var(--accent) 60%,var(--surface))}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
input[type=image]{width:288px;height:144px;min-height:0;padding:0;max-width:100%;cursor:crosshair;border-radius:.25rem}
.scripted input[type=image]{width:100%;height:auto;aspect-ratio:2}
.files{list-style:none;padding:0;display:grid;gap:.5rem}.files li{display:grid;gap:.25rem;padding:.5rem .75rem;border:1px solid var(--line);border-radius:var(--radius)}
progress{width:100%;accent-color:var(--accent)}
`

export interface PageOptions {
  readonly title: string
  readonly content: Html
  readonly problem?: string | undefined
  readonly style?: string
  readonly script?: string
}

export function page({ title, content, problem, style: extraStyle = '', script }: PageOptions): Page {
  return wholePage({
    title: problem === undefined ? title : `Problem: ${title}`,
    style: style + extraStyle,
    ...(script !== undefined && { script }),
    may: ['send', 'ask', 'show'],
    content: html`<main>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${content}
</main>`,
  })
}

export const message = (title: string, text: string): Page =>
  page({ title, content: html`<h1>${title}</h1><p>${text}</p>` })

export const send = (reply: FastifyReply, { mediaType, headers, body }: Page, status = 200) =>
  reply.code(status).headers(headers).type(mediaType).send(body)
