import { setTimeout as sleep } from 'node:timers/promises'
import { createPerson } from '../../services/identity-connect/src/people/people.ts'
import { ada, signIn } from '../../services/identity-connect/src/testing/app.ts'
import { type Browser, browser, type Page } from '../../services/identity-connect/src/testing/browser.ts'
import { type Node, statementsOf } from './statements.ts'

const key = { authorization: 'Bearer icosa-dev-key' }
const callback = 'https://notes.example/callback'
const responseTypes = [
  'code',
  'id_token',
  'code id_token',
  'token id_token',
  'code token',
  'code token id_token',
  'token',
]
const client = {
  client_name: 'Notes',
  client_uri: 'https://notes.example',
  redirect_uris: [callback],
  response_types: responseTypes,
  grant_types: ['authorization_code', 'implicit'],
  application_type: 'web',
  contacts: ['a@notes.example'],
  logo_uri: 'https://notes.example/l.png',
  policy_uri: 'https://notes.example/p',
  tos_uri: 'https://notes.example/t',
  default_scopes: ['email'],
  default_max_age: 3600,
}
interface Client {
  readonly client_id: string
  readonly client_secret: string
}

const sorted = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
const locationOf = ({ headers }: { readonly headers: Headers }) => headers.get('location') ?? ''

statementsOf('S1', ['identity-connect'], async (node) => {
  const created = await clients(node)
  await authorizing(node, created)
  await tokens(node, created)
  await signedIn(node, created)
})

async function clients({ call, holds }: Node): Promise<Client> {
  const at = '/identity-connect/client'
  const create = (json: object) => call(at, { method: 'POST', headers: key, json })
  const created = await create(client)
  const { json } = created
  holds('POST /client is 201 with its place', created.status === 201 && created.headers.has('location'), created.text)
  for (const [name, value] of Object.entries(client))
    holds(`a client keeps ${name}`, sorted(json[name]) === sorted(value), json[name])
  holds(
    'it gets an id and a secret that does not expire',
    json.client_id && json.client_secret && json.client_secret_expires_at === 0,
    json,
  )
  const list = await call(at, { headers: key })
  holds(
    'GET /client lists it',
    list.json.some(({ client_id }: Client) => client_id === json.client_id),
    list.text,
  )
  holds('without secrets', !list.text.includes('client_secret"'))
  const one = await call(`${at}/${json.client_id}`, { headers: key })
  holds('GET /client/{id}', one.status === 200 && one.json.client_name === 'Notes', one.text)
  const none = await call(`${at}/nope`, { headers: key })
  holds(
    'an unknown one is 404, a problem',
    none.status === 404 && none.json.status === 404 && none.json.type,
    none.text,
  )
  holds('without a key it is 401', (await call(`${at}/${json.client_id}`)).status === 401)
  const put = (changed: object) => call(`${at}/${json.client_id}`, { method: 'PUT', headers: key, json: changed })
  const renamed = await put({ ...client, client_name: 'Notes 2' })
  holds('PUT changes it', renamed.status === 200 && renamed.json.client_name === 'Notes 2', renamed.text)
  const { client_name, redirect_uris, response_types, grant_types } = client
  const replaced = await put({ client_name, redirect_uris, response_types, grant_types })
  holds('PUT replaces the whole', replaced.status === 200 && !replaced.json.logo_uri, replaced.text)
  const script = await create({ client_name: 'x', redirect_uris: ['javascript:alert(1)'] })
  holds('a script is no address to lead back to', script.status === 400, script.text)
  const form = new FormData()
  form.append('client_name', 'Multi')
  form.append('redirect_uris', callback)
  holds('POST /client takes a form', (await call(at, { method: 'POST', headers: key, body: form })).status === 201)
  const deletedId = (await create({ client_name: 'Gone', redirect_uris: [callback] })).json.client_id
  const remove = () => call(`${at}/${deletedId}`, { method: 'DELETE', headers: key })
  holds('DELETE is 204', (await remove()).status === 204)
  holds('and 404 afterwards', (await remove()).status === 404)
  return json
}

const asking = ({ client_id }: Client, more: Record<string, string> = {}) => {
  const usual = { client_id, response_type: 'code', scope: 'openid', redirect_uri: callback, state: 'st1', ...more }
  return `/identity-connect/authorize?${new URLSearchParams(usual)}`
}

async function authorizing({ call, holds, url }: Node, created: Client): Promise<void> {
  const discovery = await call('/identity-connect/.well-known/openid-configuration')
  holds('discovery names the issuer', discovery.json.issuer === `${url}/identity-connect`, discovery.text)
  const ask = (more?: Record<string, string>) => call(asking(created, more))
  const refusal = async (more: Record<string, string>) => {
    const answer = await ask(more)
    return answer.status === 302 ? locationOf(answer) : `${answer.status} ${answer.text}`
  }
  holds('authorize leads to the page for signing in', (await ask()).status === 303)
  for (const display of ['page', 'popup', 'modal']) holds(`display=${display}`, (await ask({ display })).status === 303)
  holds('an unknown display is invalid_request', (await refusal({ display: 'zzz' })).includes('invalid_request'))
  const silent = await refusal({ prompt: 'none' })
  holds(
    'prompt=none without a session is login_required',
    /error=login_required/.test(silent) && silent.includes('state=st1'),
    silent,
  )
  holds(
    'prompt=none login is invalid_request',
    (await refusal({ prompt: 'none login' })).includes('error=invalid_request'),
  )
  const type = await refusal({ response_type: 'zzz' })
  holds('an unknown response_type is refused', /unsupported_response_type|invalid_request/.test(type), type)
  holds('without openid it is refused at the client', (await ask({ scope: 'email' })).status !== 200)
  const evil = await ask({ redirect_uri: 'http://evil.example/' })
  holds(
    'an address that is not registered is not led to',
    !locationOf(evil).startsWith('http://evil'),
    locationOf(evil),
  )
  holds('without a state it is invalid_request', (await refusal({ state: '' })).includes('invalid_request'))
  const noNonce = await refusal({ response_type: 'id_token' })
  holds(
    'id_token without a nonce is invalid_request, in the fragment',
    /#.*error=invalid_request/.test(noNonce),
    noNonce,
  )
  holds(
    'errors of id_token are in the fragment',
    (await refusal({ response_type: 'id_token', nonce: 'n', prompt: 'none' })).includes('#'),
  )
  const fragment = await refusal({ response_mode: 'fragment', prompt: 'none' })
  holds('response_mode=fragment', fragment.includes('#error'), fragment)
  holds('ui_locales is taken', (await ask({ ui_locales: 'de en' })).status === 303)

  const create = async (more: object): Promise<Client> => {
    const json = { client_name: 'R', redirect_uris: [callback], ...more }
    return (await call('/identity-connect/client', { method: 'POST', headers: key, json })).json
  }
  const restricted = await call(asking(await create({}), { response_type: 'id_token', nonce: 'n' }))
  holds(
    'a type that the client may not use is unauthorized_client',
    locationOf(restricted).includes('unauthorized_client'),
    locationOf(restricted),
  )
  const trying = await call(asking(await create({ test_mode: true }), { redirect_uri: 'http://localhost:9999/other' }))
  holds('in test mode any address will do', trying.status === 303, trying.text)
  const frame = await call(`/identity-connect/${created.client_id}/iframe`)
  holds(
    'the frame is a page',
    frame.status === 200 && frame.headers.get('content-type')?.includes('html'),
    frame.status,
  )
}

async function tokens({ call, holds }: Node, { client_id, client_secret }: Client): Promise<void> {
  const at = '/identity-connect/token'
  const own = { client_id, client_secret }
  const grant = { grant_type: 'authorization_code', code: 'x', redirect_uri: callback }
  const ask = (form: Record<string, string>, headers = {}) => call(at, { method: 'POST', form, headers })
  const code = await ask({ ...grant, ...own })
  holds('a wrong code is invalid_grant', code.status === 400 && code.json.error === 'invalid_grant', code.text)
  const secret = await ask({ ...grant, client_id, client_secret: 'wrong' })
  holds(
    'a wrong secret is invalid_client',
    secret.status === 401 && secret.json.error === 'invalid_client',
    secret.text,
  )
  const other = await ask({ ...own, grant_type: 'password' })
  holds(
    'another grant is refused',
    other.status === 400 && /unsupported_grant_type|unauthorized_client/.test(other.json.error),
    other.text,
  )
  holds('no grant is refused', (await ask(own)).status === 400)
  const basic = Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`).toString('base64')
  const byHeader = await ask(grant, { authorization: `Basic ${basic}` })
  holds(
    'the secret may be in the header',
    byHeader.status === 400 && byHeader.json.error === 'invalid_grant',
    byHeader.text,
  )
  holds('userinfo without a token is 401', (await call('/identity-connect/userinfo')).status === 401)
  const wrong = await call('/identity-connect/userinfo', { headers: { authorization: 'Bearer zzz' } })
  const challenge = wrong.headers.get('www-authenticate') ?? ''
  holds('with a wrong one, too, and says why', wrong.status === 401 && challenge.includes('invalid_token'), challenge)
}

const partOf = (token: string, part: 0 | 1) =>
  JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())

/** Parameters in the query and fragment of a page's redirect to the client. */
const broughtBy = ({ location }: Page) => ({
  query: location?.searchParams ?? new URLSearchParams(),
  fragment: new URLSearchParams(location?.hash.slice(1)),
})

async function signedIn({ call, holds, url, instance }: Node, created: Client): Promise<void> {
  const { database, clock } = instance.development.node.platform
  await createPerson(database, clock, { ...ada, emailVerified: true })
  const visitor: Browser = browser(url)
  const scope = 'openid email profile'
  const visit = async (more: Record<string, string> = {}) =>
    signIn(visitor, await visitor.get(asking(created, { scope, ...more })))
  const exchange = (form: Record<string, string>) =>
    call('/identity-connect/token', {
      method: 'POST',
      form: { grant_type: 'authorization_code', redirect_uri: callback, ...idAndSecret(created), ...form },
    })
  const first = broughtBy(await visit({ nonce: 'n1' })).query
  const code = first.get('code') ?? ''
  holds('a code and the state come back', code && first.get('state') === 'st1', String(first))
  const elsewhere = await exchange({ code, redirect_uri: 'https://notes.example/other' })
  holds('for another address it is invalid_grant', elsewhere.json.error === 'invalid_grant', elsewhere.text)

  const second = broughtBy(await visit({ nonce: 'n2' })).query.get('code') ?? ''
  const { json: tokens } = await exchange({ code: second })
  const { access_token: access, id_token: idToken } = tokens
  holds(
    'tokens come with their type and life',
    access && tokens.token_type === 'Bearer' && tokens.expires_in && idToken,
    tokens,
  )
  holds('and with expires_at', 'expires_at' in tokens, tokens)
  const claims = partOf(idToken, 1)
  const isMeant = claims.iss === `${url}/identity-connect` && claims.aud === created.client_id && claims.nonce === 'n2'
  holds('the ID token has its claims', isMeant && claims.sub && claims.exp && claims.iat, claims)
  holds('it is signed with RS256', partOf(idToken, 0).alg === 'RS256')
  const userinfo = () => call('/identity-connect/userinfo', { headers: { authorization: `Bearer ${access}` } })
  const { json: person } = await userinfo()
  holds('userinfo is of the same person', person.sub === claims.sub && person.email === ada.email, person)
  holds('a code is good once', (await exchange({ code: second })).json.error === 'invalid_grant')
  holds('its token is revoked when it comes again', (await userinfo()).status === 401)

  for (const type of responseTypes.slice(1)) {
    const { fragment } = broughtBy(await visit({ response_type: type, nonce: 'nn' }))
    const names = type.split(' ').map((word) => (word === 'token' ? 'access_token' : word))
    const isWhole = names.every((name) => fragment.get(name)) && fragment.get('state') === 'st1'
    const token = fragment.get('id_token')
    holds(`${type} come in the fragment`, isWhole && (!token || partOf(token, 1).nonce === 'nn'), String(fragment))
  }
  holds('prompt=none with a session brings a code', broughtBy(await visit({ prompt: 'none' })).query.has('code'))
  const inFragment = broughtBy(await visit({ response_mode: 'fragment' })).fragment
  holds('response_mode=fragment brings it there', inFragment.has('code'), String(inFragment))
  const asked = async (more: Record<string, string>) => visitor.get(asking(created, { scope, ...more }))
  holds('prompt=login asks again', (await asked({ prompt: 'login' })).status === 303)
  holds('prompt=consent asks again', (await asked({ prompt: 'consent' })).status === 303)
  await sleep(2_100) // the protocol library uses the machine's clock
  holds('max_age=1 asks again', (await asked({ max_age: '1' })).status === 303)
  const young = await asked({ max_age: '10000' })
  holds('max_age=10000 does not', young.location?.href.startsWith(callback), young.location?.href)
  const late = await asked({ max_age: '1', prompt: 'none' })
  holds(
    'max_age=1 with prompt=none is login_required',
    late.location?.href.includes('login_required'),
    late.location?.href,
  )
}

const idAndSecret = ({ client_id, client_secret }: Client) => ({ client_id, client_secret })
