import { hostCookie } from '@icosa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rememberDevice } from '../../passwords/devices.ts'
import type { Visit } from './visit.ts'

const yearSeconds = 365 * 86_400

type At = Pick<Visit, 'base' | 'issuer'>

const cookieAt = ({ base, issuer }: At) =>
  hostCookie('icosa_device', { isSecure: issuer.startsWith('https:'), path: base, sameSite: 'Lax' })

export function devicesOf({ headers }: FastifyRequest, at: At): string | undefined {
  const value = cookieAt(at).read(headers.cookie)
  return value && /^[\w.~-]{1,1000}$/.test(value) ? value : undefined
}

/** Somebody has shown that they are this person: from now on strangers do not lock them out here. */
export async function rememberThisDevice(visit: Visit, reply: FastifyReply, person: string): Promise<void> {
  const value = await rememberDevice(visit.people, visit.devices, person)
  reply.header('set-cookie', cookieAt(visit).write(value, yearSeconds))
}
