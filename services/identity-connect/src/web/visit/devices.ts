import { hostCookie } from '@icosa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rememberDevice } from '../../passwords/devices.ts'
import type { Visit } from './visit.ts'

const yearSeconds = 365 * 86_400

type Mount = Pick<Visit, 'base' | 'issuer'>

const cookieAt = ({ base, issuer }: Mount) =>
  hostCookie('icosa_device', { isSecure: issuer.startsWith('https:'), path: base, sameSite: 'Lax' })

export function devicesOf({ headers }: FastifyRequest, mount: Mount): string | undefined {
  const value = cookieAt(mount).read(headers.cookie)
  return value && /^[\w.~-]{1,1000}$/.test(value) ? value : undefined
}

/** After authentication: guesses from elsewhere no longer lock the user out on this device. */
export async function rememberThisDevice(visit: Visit, reply: FastifyReply, person: string): Promise<void> {
  const value = await rememberDevice(visit.people, visit.devices, person)
  reply.header('set-cookie', cookieAt(visit).write(value, yearSeconds))
}
