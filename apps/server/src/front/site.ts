import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { notFound } from './browser.ts'

/** Included in the package; in a checkout, `npm run site` builds it. */
const built = fileURLToPath(new URL('../../../../dist/site/', import.meta.url))

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
}

/** Their content security policy is in the pages themselves. */
const headers = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Names of files on the site; no other path is looked up. */
const named = /^(?:[\w-]+\/)*[\w-]+\.(html|json|md|png|svg|txt)$/

/** Serves the documentation at /docs. */
export function serveSite(app: FastifyInstance, folder = built): void {
  app.get('/llms.txt', (_, reply) => reply.redirect('/docs/llms.txt'))
  app.get('/docs', (_, reply) => reply.redirect('/docs/index.html'))
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const { '*': name } = request.params
    const [, ending = ''] = named.exec(name) ?? []
    const content = ending && (await readFile(folder + name).catch(() => ''))
    if (content)
      return reply
        .type(mediaTypes[ending] ?? '')
        .headers(headers)
        .send(content)
    const remedy = 'The documentation begins at /docs; in a checkout, `npm run site` builds it.'
    return notFound(request, reply, `There is no page '${name}'. ${remedy}`)
  })
}
