import { randomBytes, timingSafeEqual } from 'node:crypto'
import { keyed } from '../attempts/attempts.ts'
import type { PeopleContext } from '../people/context.ts'
import * as store from './store.ts'

/**
 * Devices on which a user has signed in before, which guesses from elsewhere do not lock out. Stored in a cookie, each with a
 * name and a signature. The signature covers the password hash, so a password change makes the device unknown.
 */
export type Devices = string

type Context = Pick<PeopleContext, 'attemptsKey'>

/** Public computers have many users, but cookies are limited in size. */
const maxDevices = 8
const syntax = /^[\w-]{16}\.[\w-]{43}$/

const devicesIn = (text: Devices | undefined) =>
  (text ?? '').split('~', maxDevices).filter((device) => syntax.test(device))

const signature = (context: Context, { id, hash }: store.Secret, name: string) =>
  keyed(context, 'known device', `${id} ${hash ?? 'none'} ${name}`)

/** Returns the name of the device, if this user has signed in on it. */
export function knownDevice(
  context: Context,
  devices: Devices | undefined,
  secret: store.Secret | undefined,
): string | undefined {
  if (!secret) return undefined
  const names = devicesIn(devices).flatMap((device) => {
    const [name = '', actual = ''] = device.split('.')
    return timingSafeEqual(Buffer.from(actual, 'base64url'), signature(context, secret, name)) ? [name] : []
  })
  return names[0]
}

/** Returns the devices of a browser in which this user has just signed in, the user's first. */
export async function rememberDevice(
  context: PeopleContext,
  devices: Devices | undefined,
  person: string,
): Promise<Devices> {
  const secret = (await store.findById(context.database, person)) ?? { id: person, hash: null }
  const name = knownDevice(context, devices, secret) ?? randomBytes(12).toString('base64url')
  const device = `${name}.${signature(context, secret, name).toString('base64url')}`
  const others = devicesIn(devices).filter((other) => other !== device)
  return [device, ...others].slice(0, maxDevices).join('~')
}
