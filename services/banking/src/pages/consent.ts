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

/** What an application asks a user for. */
interface Asking {
  readonly tenant: string
  readonly client: string
  readonly name: string
  readonly redirectUri: string
  readonly state: string | null
}

type Query = Readonly<Record<string, unknown>>

/** Words for whoever sits there, if nobody asks for anything here. Nobody is sent to an address that its owner has not named. */
async function askingBy(db: ReadingDb, vault: Platform['vault'], query: Query): Promise<Asking | string> {
  const word = (name: string) => (typeof query[name] === 'string' ? (query[name] as string) : '')
  const named = readClientId(vault, word('client_id'))
  const client = named && (await clients.findAny(db, named.tenant, named.id))
  if (!named || client?.status !== 'ACTIVE') return 'This application is not known here, or is switched off.'
  const urls = await callbackUrls.list(db, named.tenant, { user: client.user, parent: client.id })
  const redirectUri = word('redirect_uri')
  if (!urls.some(({ body }) => body.url === redirectUri))
    return 'The application names an address to come back to (redirect_uri) that is not one of its own.'
  if (word('response_type') !== 'code') return 'The application must ask for a code (response_type=code).'
  const state = word('state')
  if (state.length > 1_000) return 'The state of the application is too long.'
  return { tenant: named.tenant, client: client.id, name: client.body.name, redirectUri, state: state || null }
}

function consentPage({ name, redirectUri }: Asking, problem?: string): Page {
  const shown = page({
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
  // Browsers hold the page to where its form leads in the end.
  const policy = shown.headers['content-security-policy'] as string
  const allowed = policy.replace("form-action 'self'", `form-action 'self' ${new URL(redirectUri).origin}`)
  return { ...shown, headers: { ...shown.headers, 'content-security-policy': allowed } }
}

function backTo({ redirectUri, state }: Asking, answer: Readonly<Record<string, string>>): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) }))
    url.searchParams.set(name, value)
  return url.href
}

/** Where an application sends a user for consent, and from where the user goes back to it. */
export function consentRoutes(app: FastifyInstance, { database, clock, vault, transaction }: Platform): void {
  const path = `/${serviceName}/auth`

  app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
    const asking = await askingBy(database, vault, query)
    if (typeof asking === 'string') return send(reply, closedPage('Nothing to allow', asking), 400)
    return send(reply, consentPage(asking))
  })

  app.post<{ Querystring: Query; Body: unknown }>(path, async ({ query, body }, reply) => {
    const asking = await askingBy(database, vault, query)
    if (typeof asking === 'string') return send(reply, closedPage('Nothing to allow', asking), 400)
    const form = new URLSearchParams(String(body ?? ''))
    const isAllowed = form.get('step') === 'allow'
    if (!isAllowed) return reply.redirect(backTo(asking, { error: 'access_denied' }), 303)
    const { tenant } = asking
    const key = form.get('key')?.trim() ?? ''
    const user =
      tenantOf(key, 'sandbox') === tenant ? await userOfKey(database.of(tenant), tenant, hashOf(key)) : undefined
    if (user === undefined) return send(reply, consentPage(asking, 'This is not the key of a user of this bank.'), 400)
    const code = await transaction(serviceName, tenant, (db) => grant(db, tenant, { ...asking, user }, clock.now()))
    return reply.redirect(backTo(asking, { code }), 303)
  })
}
