import { type Html, html, type Page, page as wholePage } from '@icosa/pages'

/** Mobile first. */
const style = `
body{min-height:100dvh;display:grid;place-content:center;padding:1rem;grid-template-columns:minmax(0,26rem)}
main{display:grid;gap:1.25rem;padding:clamp(1.25rem,6vw,2.25rem);background:var(--surface);border:1px solid var(--line);
border-radius:calc(var(--radius)*1.5)}
.amount{font-size:2.5rem;font-weight:700;line-height:1.1;font-variant-numeric:tabular-nums}
.mark{display:grid;place-items:center;width:3.5rem;height:3.5rem;border-radius:50%;border:1px solid var(--line);
background:color-mix(in srgb,var(--accent) 9%,var(--surface));color:var(--accent);font-weight:600;font-size:1.5rem}
dt{color:var(--muted);font-size:.9375rem}
form,.field{display:grid;gap:.375rem}form{gap:1rem}
input,button,.button{width:100%;min-height:3rem;padding:.5rem .75rem;border-radius:var(--radius);font:inherit;
border:1px solid color-mix(in srgb,var(--text) 55%,var(--surface));background:var(--surface);color:var(--text)}
button,.button{display:flex;align-items:center;justify-content:center;border-color:transparent;background:var(--accent);
color:var(--accent-text);font-weight:600;text-decoration:none;cursor:pointer}
.secondary{background:none;color:var(--accent);border-color:color-mix(in srgb,var(--accent) 60%,var(--surface))}
dl{display:grid;gap:.75rem}dd{font-weight:600}
`

interface PayPage {
  readonly title: string
  readonly content: Html
  readonly problem?: string | undefined
}

export function page({ title, content, problem }: PayPage): Page {
  return wholePage({
    title: problem === undefined ? title : `Problem: ${title}`,
    style,
    may: ['send'],
    content: html`<main>
${problem !== undefined && html`<p class="problem" role="alert">${problem}</p>`}
${content}
</main>`,
  })
}
