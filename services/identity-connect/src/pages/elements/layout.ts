import { attribute, type Html, html, raw, render } from '@icosa/pages'
import type { ClientView, Frame } from '../views.ts'
import { clientMark, hostOf } from './client.ts'

export interface Document {
  readonly title: string
  readonly lead?: Html | undefined
  /** The application, whose mark appears next to the title. */
  readonly client?: ClientView | undefined
  readonly content?: Html | undefined
  readonly scripts?: readonly ('consent' | 'handover' | 'modal' | 'passkey' | 'password')[]
  /** `sections` has its own cards, and is wider. */
  readonly shape?: 'card' | 'sections'
  /** Shown next to the title, such as the sign-out button. */
  readonly beside?: Html | undefined
  /** Where on the page the problem can be fixed. */
  readonly problemLink?: { readonly id: string; readonly label: string } | undefined
}

/** Renders the whole document, without inline scripts and styles, which the content security policy forbids. */
export function page(frame: Frame, document: Document): string {
  const { base, brand, display } = frame
  const { title, scripts = [], shape = 'card' } = document
  const isPage = display === 'page'
  const inner = html`${!isPage && html`<p class="brand">${brand}</p>`}${heading(document)}
${messages(frame, document)}
${document.client?.testHost && testNotice(document.client.testHost)}
${document.content}`
  return render(html`${raw`<!doctype html>`}
<html lang="en" data-display="${display}">
<head>
<meta charset="utf-8">
<title>${frame.problem && 'Problem: '}${title} – ${brand}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/assets/style.css">
${frame.themed && html`<link rel="stylesheet" href="${base}/assets/theme.css">`}
${scripts.map((name) => html`<script type="module" src="${base}/assets/${name}.js"></script>`)}
</head>
<body>
${isPage && html`<header class="bar"><p class="brand">${brand}</p></header>`}
<main${attribute('class', shape === 'sections' && shape)}>
${shape === 'card' ? html`<div class="card">${inner}</div>` : inner}
</main>
${isPage && html`<footer class="bar"><p>This page belongs to ${brand}.</p></footer>`}
</body>
</html>
`)
}

/** Shows where an application in test mode redirects to. */
const testNotice = (host: string): Html =>
  html`<p class="problem">This application is in test mode. It will send you to <bdi>${host}</bdi>, which has not been verified.</p>`

function heading({ title, lead, client, beside }: Document): Html {
  const host = client && hostOf(client)
  return html`<div class="heading">${client && clientMark(client)}
<div><h1>${title}</h1>
${lead && html`<p class="lead">${lead}</p>`}${host && html`<p class="muted"><bdi>${host}</bdi></p>`}</div>${beside}</div>`
}

function messages({ problem, notice }: Frame, { problemLink }: Document): Html {
  const link = problemLink && html` <a href="#${problemLink.id}">${problemLink.label}</a>`
  return html`${problem && html`<p class="problem" role="alert" id="problem">${problem}${link}</p>`}
${notice && html`<p class="notice" role="status">${notice}</p>`}`
}
