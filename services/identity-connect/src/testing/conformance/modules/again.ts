import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { isSignIn } from '../authorize.ts'
import { nowSeconds } from '../claims.ts'
import { type Flow, type Outcome, signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'

/** The suite compares auth_time where it happens to be there; asked for by name it always is. */
const authTime = { claims: JSON.stringify({ id_token: { auth_time: { essential: true } } }) }

/** Somebody who is signed in comes again, in the same browser. */
export const secondTimeModules: readonly Module[] = [
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
      expectSignedInAnew(first, second)
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
      expectSignedInAnew(first, second)
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

function expectSignedInAnew(first: Outcome, second: Outcome): void {
  expect(second.shown.filter(isSignIn).length, 'a sign-in page the second time').toBe(1)
  expect(second.idToken.claims.auth_time).toBeTypeOf('number')
  expect(second.idToken.claims.auth_time).toBeGreaterThan(Number(first.idToken.claims.auth_time))
}

/** The second time nothing is asked, and it is the same person who signed in at the same time. */
async function sameTwice(context: Context, flow: Flow, paramsThen: (first: Outcome) => Record<string, string>) {
  const first = await signInAt(context, flow)
  expect(first.shown.some(isSignIn)).toBe(true)
  const second = await signInAt(context, { visitor: first.visitor, params: paramsThen(first) })
  expect(second.shown).toEqual([])
  expect(first.idToken.claims.auth_time).toBeTypeOf('number')
  expect(second.idToken.claims.auth_time).toBe(first.idToken.claims.auth_time)
  expect(second.idToken.claims.sub).toBe(first.idToken.claims.sub)
  return undefined
}
