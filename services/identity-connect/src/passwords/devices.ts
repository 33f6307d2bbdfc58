import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyed } from '../attempts/attempts.ts'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

/**
 * Devices on which somebody has signed in before: strangers who guess at the account do not lock them out. A cookie holds
 * them, a name and a signature each. The signature is over the password, too: whoever knew another one is a stranger.
 */
export type Devices = string

type Context = Pick<PeopleContext, 'attemptsKey'>

/** A computer in a library has many users, and a request only so much room for cookies. */
const most = 8
const syntax = /^[\w-]{16}\.[\w-]{43}$/

const devicesIn = (text: Devices | undefined) => (text ?? '').split('~', most).filter((each) => syntax.test(each))

const signature = (context: Context, { id, hash }: store.Secret, name: string) =>
  keyed(context, 'known device', `${id} ${hash ?? 'none'} ${name}`)

/** The name of the device, if this person has signed in on it. */
export function knownDevice(
  context: Context,
  devices: Devices | undefined,
  secret: store.Secret | undefined,
): string | undefined {
  if (!secret) return undefined
  const names = devicesIn(devices).flatMap((each) => {
    const [name = '', signed = ''] = each.split('.')
    return timingSafeEqual(Buffer.from(signed, 'base64url'), signature(context, secret, name)) ? [name] : []
  })
  return names[0]
}

/** The devices of a browser in which this person has just signed in: theirs first. */
export async function rememberDevice(
  context: PeopleContext,
  devices: Devices | undefined,
  person: string,
): Promise<Devices> {
  const secret = (await store.findById(context.database, person)) ?? { id: person, hash: null }
  const known = knownDevice(context, devices, secret)
  const name = known ?? randomBytes(12).toString('base64url')
  const device = `${name}.${signature(context, secret, name).toString('base64url')}`
  const others = devicesIn(devices).filter((each) => each !== device)
  return [device, ...others].slice(0, most).join('~')
}
