import { bearerCaller } from '@icosa/dialects/bearer'
import { Failure } from '@icosa/kernel'
import { hostCookie } from '@icosa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { checkGrant, grant } from '../../access/password-grant.ts'
import { Contributor } from '../../dialect/caller.ts'
import { serviceName } from '../../names.ts'
import { type Host, writing } from '../calls.ts'

const lifetimeSeconds = 3_600
export const deskPath = `/${serviceName}/desk`

/** Desk sessions: an API token in an HttpOnly, SameSite cookie. */
export interface Sessions {
  moderatorOf(request: FastifyRequest): Promise<Contributor | undefined>
  signIn(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<void>
  signOut(reply: FastifyReply): void
}

export function sessionsOf(host: Host): Sessions {
  const { credentials, database } = host.platform
  const isSecure = host.runtime.publicUrl.startsWith('https:')
  const cookie = hostCookie('contributions_desk', { isSecure, path: deskPath, sameSite: 'Strict' })
  const callerOf = async (token: string, ip: string): Promise<Contributor | undefined> => {
    const caller = await bearerCaller({ headers: { authorization: `Bearer ${token}` } }, credentials)
    return caller?.allows(`${serviceName}:moderateContribution`) ? new Contributor(caller, ip) : undefined
  }
  const tokenFor = async (form: URLSearchParams, ip: string): Promise<string> => {
    const key = form.get('key')?.trim()
    if (key) return key
    const request = {
      grant_type: 'password',
      username: form.get('username') ?? '',
      password: form.get('password') ?? '',
    }
    const session = await checkGrant(request, undefined, ip, { runtime: host.runtime, db: database.reading })
    const caller = new Contributor({ id: session.user, tenant: session.tenant, allows: () => false }, ip)
    return (await writing(host, caller, (context) => grant(context, session))).access_token
  }
  return {
    async moderatorOf(request) {
      const token = cookie.read(request.headers.cookie)
      return token ? callerOf(token, request.ip) : undefined
    },
    async signIn(request, reply, form) {
      const token = await tokenFor(form, request.ip)
      if (!/^[\w.~+/=-]{1,4000}$/.test(token) || !(await callerOf(token, request.ip)))
        throw new Failure('invalid', 'These credentials do not allow moderation here.')
      reply.header('set-cookie', cookie.write(token, lifetimeSeconds))
    },
    signOut(reply) {
      reply.header('set-cookie', cookie.write('', 0))
    },
  }
}
