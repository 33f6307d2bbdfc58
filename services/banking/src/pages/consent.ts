import type { Platform, ReadingDb } from '@icosa/kernel'
import { html, type Page } from '@icosa/pages'
import type { FastifyInstance } from 'fastify'
import { userOfKey } from '../access/store.ts'
import { hashOf, tenantOf } from '../access/tokens.ts'
import { serviceName } from '../names.ts'
import { callbackUrls, clients, readClientId } from '../oauth/applications.ts'
import { grant } from '../oauth/grants.ts'
import { page } from './layout.ts'
import { send } from './send.ts'
import { closedPage, keyField } from './views.ts'

interface ConsentRequest {
  readonly tenant: string
  readonly client: string
  readonly name: string
  readonly redirectUri: string
  readonly state: string | null
}

type Query = Readonly<Record<string, unknown>>

/** Returns an error message for invalid requests. Users are redirected only to URLs that the client has registered. */
async function parseRequest(
  db: ReadingDb,
  cellVault: Platform['cellVault'],
  query: Query,
): Promise<ConsentRequest | string> {
  const param = (name: string) => (typeof query[name] === 'string' ? (query[name] as string) : '')
  const clientId = await readClientId(cellVault, param('client_id'))
  const client = clientId && (await clients.findAny(db, clientId.tenant, clientId.id))
  if (!clientId || client?.status !== 'ACTIVE') return 'This application is unknown or inactive.'
  const urls = await callbackUrls.list(db, clientId.tenant, { user: client.user, parent: client.id })
  const redirectUri = param('redirect_uri')
  if (!urls.some(({ body }) => body.url === redirectUri))
    return 'The redirect_uri is not registered for this application.'
  if (param('response_type') !== 'code') return 'The application must request a code (response_type=code).'
  const state = param('state')
  if (state.length > 1_000) return 'The state parameter is too long.'
  return { tenant: clientId.tenant, client: client.id, name: client.body.name, redirectUri, state: state || null }
}

function consentPage({ name, redirectUri }: ConsentRequest, problem?: string): Page {
  const content = page({
    title: `Let ${name} act for you`,
    problem,
    content: html`<h1>Let <bdi>${name}</bdi> act for you?</h1>
<p>It will see your accounts, payments and cards, ask others for money, and prepare payments that you accept. It cannot pay by itself.</p>
<form method="post">
${keyField(problem !== undefined)}
<button name="step" value="allow">Allow</button>
<button class="secondary" name="step" value="refuse" formnovalidate>Refuse</button>
</form>`,
  })
  // Browsers apply form-action to redirects, too.
  const policy = content.headers['content-security-policy'] as string
  const allowed = policy.replace("form-action 'self'", `form-action 'self' ${new URL(redirectUri).origin}`)
  return { ...content, headers: { ...content.headers, 'content-security-policy': allowed } }
}

function redirectTarget({ redirectUri, state }: ConsentRequest, result: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...result, ...(state !== null && { state }) }))
    url.searchParams.set(name, value)
  return url.href
}

/** The OAuth consent page. */
export function consentRoutes(app: FastifyInstance, { database, clock, cellVault, transaction }: Platform): void {
  const path = `/${serviceName}/auth`

  app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
    const request = await parseRequest(database, cellVault, query)
    if (typeof request === 'string') return send(reply, closedPage('Invalid request', request), 400)
    return send(reply, consentPage(request))
  })

  app.post<{ Querystring: Query; Body: unknown }>(path, async ({ query, body }, reply) => {
    const request = await parseRequest(database, cellVault, query)
    if (typeof request === 'string') return send(reply, closedPage('Invalid request', request), 400)
    const form = new URLSearchParams(String(body ?? ''))
    const isAllowed = form.get('step') === 'allow'
    if (!isAllowed) return reply.redirect(redirectTarget(request, { error: 'access_denied' }), 303)
    const { tenant } = request
    const key = form.get('key')?.trim() ?? ''
    const user =
      tenantOf(key, 'sandbox') === tenant ? await userOfKey(database.of(tenant), tenant, hashOf(key)) : undefined
    if (user === undefined) return send(reply, consentPage(request, 'This is not the key of a user of this bank.'), 400)
    const code = await transaction(serviceName, tenant, (db) => grant(db, tenant, { ...request, user }, clock.now()))
    return reply.redirect(redirectTarget(request, { code }), 303)
  })
}
