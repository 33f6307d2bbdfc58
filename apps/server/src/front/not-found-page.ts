import { html, type Page, page } from '@icosa/pages'

const style = `
body{max-width:40rem;margin:0 auto;padding:12vh 1rem 4rem}
main{display:grid;gap:.75rem}
`

/** The page for paths that nothing serves. */
export const notFoundPage = (error: string): Page =>
  page({
    title: 'Not found – Icosa',
    style,
    content: html`<main>
<h1>Not found</h1>
<p>${error}</p>
<p><a href="/">Home</a> · <a href="/docs/guides/index.html">Guides</a> · <a href="/docs">Documentation</a> · <a href="/first-calls">A first call of every service</a></p>
</main>`,
  })
