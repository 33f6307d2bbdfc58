import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { isSignIn } from '../authorize.ts'
import { nowSeconds } from '../claims.ts'
import { type Flow, type Outcome, signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'

/** Requests auth_time, which the suite compares only if present. */
const authTime = { claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }) }

/** A second authorization in the same browser. */
export const reauthenticationModules: readonly Module[] = [
  {
    name: 'oidcc-prompt-login',
    appliesTo: everywhere,
    async run(context) {
      const first = await signInAt(context, { params: authTime })
      await wait(1_000)
      const second = await signInAt(context, {
        visitor: first.visitor,
        params: { ...authTime, prompt: 'login' },
      })
      expectReauthenticated(first, second)
      return undefined
    },
  },
  {
    name: 'oidcc-max-age-1',
    appliesTo: everywhere,
    async run(context) {
      const first = await signInAt(context, { params: authTime })
      await wait(2_000)
      const second = await signInAt(context, { visitor: first.visitor, params: { max_age: '1' } })
      expectReauthenticated(first, second)
      expect(second.idToken.claims.auth_time).toBeGreaterThan(nowSeconds() - 60)
      return undefined
    },
  },
  {
    name: 'oidcc-max-age-10000',
    appliesTo: everywhere,
    run: (context) => sameTwice(context, { params: { max_age: '15000' } }, () => ({ max_age: '10000' })),
  },
  {
    name: 'oidcc-prompt-none-logged-in',
    appliesTo: everywhere,
    run: (context) => sameTwice(context, { params: authTime }, () => ({ ...authTime, prompt: 'none' })),
  },
  {
    name: 'oidcc-id-token-hint',
    appliesTo: everywhere,
    run: (context) =>
      sameTwice(context, { params: authTime }, ({ idToken }) => ({
        ...authTime,
        prompt: 'none',
        id_token_hint: idToken.raw,
      })),
  },
]

function expectReauthenticated(first: Outcome, second: Outcome): void {
  expect(second.shown.filter(isSignIn).length, 'a sign-in page the second time').toBe(1)
  expect(second.idToken.claims.auth_time).toBeTypeOf('number')
  expect(second.idToken.claims.auth_time).toBeGreaterThan(Number(first.idToken.claims.auth_time))
}

/** The second authorization needs no prompt, and has the same user and auth_time. */
async function sameTwice(context: Context, flow: Flow, secondParams: (first: Outcome) => Record<string, string>) {
  const first = await signInAt(context, flow)
  expect(first.shown.some(isSignIn)).toBe(true)
  const second = await signInAt(context, { visitor: first.visitor, params: secondParams(first) })
  expect(second.shown).toEqual([])
  expect(first.idToken.claims.auth_time).toBeTypeOf('number')
  expect(second.idToken.claims.auth_time).toBe(first.idToken.claims.auth_time)
  expect(second.idToken.claims.sub).toBe(first.idToken.claims.sub)
  return undefined
}
