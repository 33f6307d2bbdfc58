import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { developmentSigningId } from '@icosa/kernel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from './browser.ts'

/** Included in the package; in a checkout, `npm run console` builds it. */
const built = fileURLToPath(new URL('../../../../dist/console/', import.meta.url))

const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

const policy =
  "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const headers = {
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

/** Names contain a hash of the content, so they never change. */
const named = /^[\w-]+\.(css|js)$/
const forever = 'public, max-age=31536000, immutable'

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The console as a public client of an OpenID Connect issuer. */
export interface SignIn {
  readonly issuer: string
  readonly clientId: string
  readonly scope: string
}

export interface ConsoleOptions {
  /** The key of development mode. It is public; the page contains it, and nodes refuse foreign hosts. */
  readonly key?: string | undefined
  readonly folder?: string | undefined
  /** How people sign in. */
  readonly signIn?: SignIn | undefined
}

export interface ServedConsole {
  /** A checkout has no console until it is built. */
  isBuilt(): Promise<boolean>
}

/** Serves the console at /console. Every view has a path of its own, and all get the same page. */
export function serveConsole(app: FastifyInstance, { key, folder = built, signIn }: ConsoleOptions): ServedConsole {
  const index = `${folder}index.html`
  const credential =
    key === undefined ? '' : JSON.stringify({ key, signing: { id: developmentSigningId, secret: key } })
  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const text = await readFile(index, 'utf8').catch(() => undefined)
    if (text === undefined)
      return notFound(request, reply, 'The console is not built: in a checkout, `npm run console` builds it.')
    const own = withMeta(
      withMeta(text, 'icosa-access', credential),
      'icosa-sign-in',
      signIn ? JSON.stringify(signIn) : '',
    )
    reply.type('text/html; charset=utf-8').headers(headers).header('cache-control', 'no-store')
    if (signIn)
      reply.header('content-security-policy', `${policy}; connect-src 'self' ${new URL(signIn.issuer).origin}`)
    return reply.send(own)
  }
  app.get('/console', page)
  app.get('/console/*', page)
  app.get<{ Params: { name: string } }>(
    '/console/assets/:name',
    async ({ params: { name }, headers: requestHeaders }, reply) => {
      const [, ending = ''] = named.exec(name) ?? []
      const accepted = String(requestHeaders['accept-encoding'] ?? '')
      const [encoding, suffix] = encodings.find(([one]) => accepted.includes(one)) ?? ['', '']
      const content = ending && (await readFile(`${folder}assets/${name}${suffix}`).catch(() => undefined))
      if (!content) return reply.code(404).send({ error: `There is no file '${name}'.` })
      reply
        .type(mediaTypes[ending] ?? '')
        .headers(headers)
        .headers({ 'cache-control': forever, vary: 'accept-encoding' })
      return (encoding ? reply.header('content-encoding', encoding) : reply).send(content)
    },
  )
  return {
    isBuilt: () =>
      access(index).then(
        () => true,
        () => false,
      ),
  }
}

const withMeta = (page: string, name: string, content: string) =>
  page.replace(`name="${name}" content=""`, () => `name="${name}" content="${escaped(content)}"`)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
