import type { Service } from '@icosa/kernel'
import { html, page } from '@icosa/pages'
import { keyHeaders, serviceName } from '../names.ts'
import { script } from './script.ts'

const style = `body { margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
.photos { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1rem } figure { margin: 0 }
canvas { max-width: 100%; display: block } output { display: block; min-height: 1.5rem }`

const figure = (id: string, title: string) =>
  html`<figure id="${id}"><label>${title} <input type="file" accept="image/jpeg,image/png,image/gif,image/bmp"></label>
<output></output><canvas width="1" height="1"></canvas></figure>`

const { mediaType, body, headers } = page({
  title: 'Faces',
  style,
  script,
  may: ['ask', 'show'],
  content: html`<main data-header="${keyHeaders[0]}"><h1>Faces</h1>
<p>Choose a photo of your own. It is sent to this machine only, and is not stored. Choose two to compare their largest faces.</p>
<p><label>Key <input id="key" value="icosa-dev-key"></label></p>
<div class="photos">${figure('one', 'A photo')}${figure('two', 'Another one')}</div><p><output id="verdict"></output></p></main>`,
})

/** A page to try the service, only in development mode. */
export const pageRoutes: NonNullable<Service['routes']> = () => async (app) => {
  app.get(`/${serviceName}/try`, (_, reply) => reply.type(mediaType).headers(headers).send(body))
}
