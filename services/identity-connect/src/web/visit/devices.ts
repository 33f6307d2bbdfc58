import type { FastifyReply, FastifyRequest } from 'fastify'
import { rememberDevice } from '../../passwords/devices.ts'
import type { Visit } from './visit.ts'

const name = 'icosa_device'
const cookie = new RegExp(`(?:^|; *)${name}=([\\w.~-]{1,1000})(?:;|$)`)
const yearSeconds = 365 * 86_400

export const devicesOf = ({ headers }: FastifyRequest) => cookie.exec(headers.cookie ?? '')?.[1]

/** Somebody has shown that they are this person: from now on strangers do not lock them out here. */
export async function rememberThisDevice(visit: Visit, reply: FastifyReply, person: string): Promise<void> {
  const { people, devices, base, issuer } = visit
  const value = await rememberDevice(people, devices, person)
  const secure = issuer.startsWith('https:') ? '; secure' : ''
  const attributes = `path=${base}; max-age=${yearSeconds}; httponly; samesite=lax${secure}`
  reply.header('set-cookie', `${name}=${value}; ${attributes}`)
}
