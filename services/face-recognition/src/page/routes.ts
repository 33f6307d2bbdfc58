import { createHash } from 'node:crypto'
import type { Service } from '@icosa/kernel'
import { keyHeaders, serviceName } from '../names.ts'
import { script } from './script.ts'

const style = `body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem } figure { margin: 0 }
canvas { max-width: 100%; display: block } output { display: block; min-height: 1.5rem }`

const figure = (id: string, title: string) =>
  `<figure id="${id}"><label>${title} <input type="file" accept="image/jpeg,image/png,image/gif,image/bmp"></label>
<output></output><canvas width="1" height="1"></canvas></figure>`

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Faces</title><style>${style}</style></head><body data-header="${keyHeaders[0]}"><h1>Faces</h1>
<p>Choose a photo of your own. It goes to this machine and nowhere else, and is not kept. Choose two to compare their largest faces.</p>
<p><label>Key <input id="key" value="icosa-dev-key"></label></p>
<main>${figure('one', 'A photo')}${figure('two', 'Another one')}</main><p><output id="verdict"></output></p>
<script>${script}</script></body></html>`

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** A page to try it with photos of one's own: in development mode only. */
export const pageRoutes: NonNullable<Service['routes']> = () => async (app) => {
  app.get(`/${serviceName}/try`, (_, reply) =>
    reply
      .headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(page),
  )
}
