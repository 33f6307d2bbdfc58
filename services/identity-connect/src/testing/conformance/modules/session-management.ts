import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'
import { redirectUri } from '../../app.ts'
import type { Browser } from '../../browser.ts'
import { signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'
import { sessionDiscovery } from './discovery.ts'
import { signOut } from './logout.ts'

export const sessionModules: readonly Module[] = [
  sessionDiscovery,
  {
    name: 'oidcc-session-management-rp-initiated-logout',
    appliesTo: everywhere,
    async run(context) {
      const outcome = await signInAt(context)
      const state = outcome.responseParams.get('session_state') ?? ''
      expect(state).toMatch(/^[^\s]+$/)
      const { client_id } = context.client
      const query = (message: string) => queryFrame(context, outcome.visitor, message)
      expect(await query(`${client_id} ${state}`)).toBe('unchanged')
      expect(await query(`other-client ${state}`)).toBe('changed')
      expect(await query('nonsense')).toBe('error')
      await signOut(context, outcome)
      expect(await query(`${client_id} ${state}`)).toBe('changed')
      return undefined
    },
  },
]

/** Loads the frame as a browser would, with its cookies, and sends it a message from the client's page. */
async function queryFrame({ config }: Context, visitor: Browser, message: string): Promise<unknown> {
  const frameUrl = String(config.serverMetadata().check_session_iframe)
  const frame = await visitor.get(frameUrl)
  expect(frame.status).toBe(200)
  expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors')
  const source = /<script [^>]*src="([^"]+)"/.exec(frame.text)?.[1] ?? ''
  const script = await visitor.get(new URL(source, frameUrl))
  expect(script.status).toBe(200)

  return new Promise((resolve) => {
    const client = {
      postMessage(reply: unknown, to: string) {
        expect(to).toBe(new URL(redirectUri).origin)
        resolve(reply)
      },
    }
    const readable = [...visitor.cookies].filter(([name]) => !name.startsWith('icosa_session'))
    runInNewContext(script.text, {
      document: { cookie: readable.map(([name, { value }]) => `${name}=${value}`).join('; ') },
      crypto,
      TextEncoder,
      Uint8Array,
      btoa,
      addEventListener: (_: string, listener: (event: object) => void) =>
        listener({ data: message, origin: new URL(redirectUri).origin, source: client }),
    })
  })
}
