import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Revision } from '../revision.ts'
import { type AccountTokens, expiresIn } from './tokens.ts'

/** Host name by which the original's libraries find the metadata server. */
export const metadataHost = 'metadata.google.internal'
/** Where they look for it. */
export const metadataHosts = [`${metadataHost}:80`, 'metadata:80', '169.254.169.254:80']

const root = '/computeMetadata/v1/'
const flavor = { 'metadata-flavor': 'Google' } as const
const scopes = ['https://www.googleapis.com/auth/cloud-platform']

type Reply = string | object | undefined

/** The metadata server of one revision: project, region, and tokens of its service account. */
export function metadataServer(tokens: AccountTokens, revision: Revision): RequestListener {
  return (request, response) => {
    const send = (status: number, body: Reply = '') => {
      const isText = typeof body === 'string'
      response.writeHead(status, { ...flavor, 'content-type': isText ? 'application/text' : 'application/json' })
      response.end(isText ? body : JSON.stringify(body))
    }
    request.resume()
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(405)
    const url = URL.parse(request.url ?? '/', 'http://metadata')
    if (url?.pathname === '/') return send(200, 'computeMetadata/\n')
    if (!url?.pathname.startsWith(root)) return send(404)
    // Not sent by pages and redirects, which could otherwise be made to fetch a token.
    if (request.headers['metadata-flavor'] !== 'Google' || request.headers['x-forwarded-for'] !== undefined)
      return send(403, 'Send the header Metadata-Flavor: Google.\n')
    replyTo(tokens, revision, url).then(
      (reply) => (reply === undefined ? send(404, 'Not found.\n') : send(200, reply)),
      () => send(503, 'Try again.\n'),
    )
  }
}

async function replyTo(tokens: AccountTokens, revision: Revision, { pathname, searchParams }: URL): Promise<Reply> {
  const { tenant, serviceAccount: email = '' } = revision
  const [, project = '', , location = ''] = revision.function.split('/')
  const account = { aliases: ['default'], email, scopes }
  const path = pathname.slice(root.length).replace(/\/$/, '')
  const accounts = 'instance/service-accounts'
  switch (path) {
    case 'project/project-id':
      return project
    case 'project/numeric-project-id':
      return numberOf(project)
    case 'universe/universe-domain':
      return 'googleapis.com'
    case 'instance':
      return 'region\nservice-accounts/\nzone\n'
    case 'instance/region':
      return `projects/${numberOf(project)}/regions/${location}`
    case 'instance/zone':
      return `projects/${numberOf(project)}/zones/${location}-1`
    case accounts:
      if (searchParams.get('recursive') === 'true') return { default: account, [email]: account }
      return `default/\n${email}/\n`
  }
  const owner = [`${accounts}/default`, `${accounts}/${email}`].find(
    (name) => path === name || path.startsWith(`${name}/`),
  )
  switch (owner && path.slice(owner.length)) {
    case '':
      return searchParams.get('recursive') === 'true' ? account : 'aliases\nemail\nidentity\nscopes\ntoken\n'
    case '/aliases':
      return 'default\n'
    case '/email':
      return email
    case '/scopes':
      return `${scopes.join('\n')}\n`
    case '/token': {
      const token = await tokens.access(tenant, email)
      return token && { access_token: token, expires_in: expiresIn, token_type: 'Bearer' }
    }
    case '/identity': {
      const audience = searchParams.get('audience') ?? ''
      return audience === '' || audience.length > 1_000 ? undefined : await tokens.identity(tenant, email, audience)
    }
  }
  return undefined
}

/** Stable, as the original's numbers are. */
const numberOf = (project: string) =>
  String(createHash('sha256').update(project).digest().readUIntBE(0, 5) + 100_000_000_000)
