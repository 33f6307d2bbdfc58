import { createHash } from 'node:crypto'
import { Html, html } from './html.ts'

/** In the colours of the platform's other pages, by day and by night, for a telephone first. */
const style = `
:root{--accent:#0b5f5c;--accent-text:#fff;--surface:#fff;--page:#f2f5f4;--text:#17211f;--muted:#51605d;--line:#d6dedc;
--danger:#a3271c;--radius:.625rem;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--accent:#74d0c6;--accent-text:#06211f;--surface:#18211f;--page:#0f1514;
--text:#e7eeec;--muted:#a5b4b1;--line:#35423f;--danger:#ffb1a8}}
*{box-sizing:border-box;margin:0}
html{background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100dvh;display:grid;place-content:center;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--text);
overflow-wrap:anywhere;grid-template-columns:minmax(0,26rem)}
main{display:grid;gap:1.25rem;padding:clamp(1.25rem,6vw,2.25rem);background:var(--surface);border:1px solid var(--line);
border-radius:calc(var(--radius)*1.5)}
h1{font-size:1.375rem;line-height:1.25}
.amount{font-size:2.5rem;font-weight:700;line-height:1.1;font-variant-numeric:tabular-nums}
.mark{display:grid;place-items:center;width:3.5rem;height:3.5rem;border-radius:50%;border:1px solid var(--line);
background:color-mix(in srgb,var(--accent) 9%,var(--surface));color:var(--accent);font-weight:600;font-size:1.5rem}
.muted,dt{color:var(--muted);font-size:.9375rem}
form,.field{display:grid;gap:.375rem}form{gap:1rem}
label{font-weight:600;font-size:.9375rem}
input,button,.button{width:100%;min-height:3rem;padding:.5rem .75rem;border-radius:var(--radius);font:inherit;
border:1px solid color-mix(in srgb,var(--text) 55%,var(--surface));background:var(--surface);color:var(--text)}
button,.button{display:flex;align-items:center;justify-content:center;border-color:transparent;background:var(--accent);
color:var(--accent-text);font-weight:600;text-decoration:none;cursor:pointer}
.secondary{background:none;color:var(--accent);border-color:color-mix(in srgb,var(--accent) 60%,var(--surface))}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.problem{padding:.75rem 1rem;border:1px solid var(--danger);border-inline-start-width:.25rem;border-radius:var(--radius)}
dl{display:grid;gap:.75rem}dd{font-weight:600}
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

export interface Page {
  readonly title: string
  readonly content: Html
  readonly problem?: string | undefined
}

export function page({ title, content, problem }: Page): string {
  const name = problem === undefined ? title : `Problem: ${title}`
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${content}
</main>
</body>
</html>`.text
}
