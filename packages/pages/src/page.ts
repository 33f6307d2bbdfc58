import { createHash } from 'node:crypto'
import { type Html, html, raw, render, verbatim } from './html.ts'

export interface PageParts {
  readonly title: string
  readonly content: Html
  /** Page-specific, after the theme. */
  readonly style?: string
  /** A module. Pages must work without it. */
  readonly script?: string
  /** What the page may do beyond showing text: submit forms, call its own server, show images from it. */
  readonly may?: readonly ('send' | 'ask' | 'show')[]
  /** A page stored as a file contains its policy, whatever server delivers it. */
  readonly isFile?: boolean
}

export interface Page {
  readonly mediaType: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** Colours and fonts of all pages, in light and dark mode. */
const theme = `
:root{--accent:#0b5f5c;--accent-text:#fff;--surface:#fff;--page:#f2f5f4;--text:#17211f;--muted:#51605d;--line:#d6dedc;
--danger:#a3271c;--radius:.625rem;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--accent:#74d0c6;--accent-text:#06211f;--surface:#18211f;--page:#0f1514;
--text:#e7eeec;--muted:#a5b4b1;--line:#35423f;--danger:#ffb1a8}}
*{box-sizing:border-box;margin:0}
html{background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{font:1rem/1.5 system-ui,sans-serif;color:var(--text);overflow-wrap:anywhere}
h1{font-size:1.375rem;line-height:1.25}
a{color:var(--accent)}
label{font-weight:600;font-size:.9375rem}
.muted{color:var(--muted);font-size:.9375rem}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .9rem .25rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{color:var(--muted);font-weight:600}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.problem{padding:.75rem 1rem;border:1px solid var(--danger);border-inline-start-width:.25rem;border-radius:var(--radius)}
`

/** A self-contained document: nothing is loaded from elsewhere, and only inline code runs, by its hash. */
export function page({ title, content, style = '', script, may = [], isFile = false }: PageParts): Page {
  const styles = theme + style
  const rules = [
    "default-src 'none'",
    `style-src ${hashOf(styles)}`,
    script !== undefined && `script-src ${hashOf(script)}`,
    `img-src data:${may.includes('show') ? " 'self' blob:" : ''}`,
    may.includes('ask') && "connect-src 'self'",
    `form-action ${may.includes('send') ? "'self'" : "'none'"}`,
    "base-uri 'none'",
  ].filter((rule) => rule !== false)
  const body = render(html`${raw`<!doctype html>`}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isFile && html`<meta http-equiv="content-security-policy" content="${rules.join('; ')}">`}
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${verbatim(styles)}</style>
</head>
<body>
${content}
${script !== undefined && html`<script type="module">${verbatim(script)}</script>`}
</body>
</html>
`)
  const headers = { ...privateHeaders, 'content-security-policy': [...rules, "frame-ancestors 'none'"].join('; ') }
  return { mediaType: 'text/html; charset=utf-8', body, headers }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Pages are private: not cached, not framed. */
const privateHeaders = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
