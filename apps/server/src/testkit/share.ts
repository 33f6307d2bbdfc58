import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Endpoint } from '../dev/endpoints.ts'
import { tenantOf } from './endpoints.ts'
import type { Connect } from './types.ts'

interface Question {
  readonly tenant: string
  readonly permissions?: readonly string[]
}

interface Answer {
  readonly url: string
  readonly endpoints: readonly Endpoint[]
}

/** Lets other processes of a test run use tenants of an instance. The address is a secret. */
export async function openShare(answer: (question: Question) => Promise<Answer>) {
  const path = `/${randomBytes(24).toString('base64url')}`
  const server = createServer(async (request, response) => {
    const end = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body))
    if (request.url !== path) return end(404, { error: 'There is nothing here.' })
    await json(request)
      .then((question) => answer(question as Question))
      .then(
        (body) => end(200, body),
        (error: Error) => end(500, { error: error.message }),
      )
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export const connectTo: Connect = async (address) => {
  async function ask(question: Question): Promise<Answer> {
    const response = await fetch(address, { method: 'POST', body: JSON.stringify(question) }).catch((cause) => {
      throw new Error(`No instance answers at ${address}: it was closed, or this is not the \`address\` of one.`, {
        cause,
      })
    })
    const answer = (await response.json()) as Answer & { error?: string }
    if (!response.ok) throw new Error(answer.error ?? `It answered ${response.status}.`)
    return answer
  }
  const { url, endpoints } = await ask({ tenant: 'dev' })
  return {
    ...tenantOf('dev', endpoints),
    url,
    async tenant(name, permissions) {
      const request = { tenant: name, ...(permissions && { permissions }) }
      return tenantOf(name, (await ask(request)).endpoints)
    },
  }
}
