import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BankCalls, type Customer, idOf, itemOf, itemsOf, payTo } from './banking-calls.ts'
import { type Answer, until } from './statements.ts'

interface Keys {
  readonly publicKey: string
  readonly privateKey: KeyObject
}

function newKeys(): Keys {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(), privateKey }
}

/** Statements about sessions with a user's own key pair. */
export async function sessions(calls: BankCalls, ada: Customer, bram: Customer) {
  const { holds, page, refused, url } = calls
  const keys = newKeys()
  let token: string | undefined
  let serverKey = ''
  /** Waits at the rate limit of a session, as clients do. */
  const send = async (method: string, path: string, content?: object, signature?: string): Promise<Answer> => {
    const body = content === undefined ? undefined : JSON.stringify(content)
    const own = sign('sha256', Buffer.from(body ?? ''), keys.privateKey).toString('base64')
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { 'x-vendor-client-authentication': token }),
      ...(signature !== '' && { 'x-vendor-client-signature': signature ?? own }),
    }
    const answer = await page(`${url}/banking/v1${path}`, { method, headers, ...(body !== undefined && { body }) })
    if (answer.status !== 429) return answer
    await sleep(Number(answer.headers.get('retry-after')) * 1_000)
    return send(method, path, content, signature)
  }
  const isSigned = ({ bytes, headers }: Answer) =>
    verify('sha256', bytes, serverKey, Buffer.from(headers.get('x-vendor-server-signature') ?? '', 'base64'))
  const namesOf = ({ json }: Answer) => json.Response.map((one: object) => Object.keys(one)[0]).join()
  const installed = await send('POST', '/installation', { client_public_key: keys.publicKey }, '')
  holds('an installation answers its id, a token and a key', namesOf(installed) === 'Id,Token,ServerPublicKey')
  token = installed.json.Response[1].Token.token as string
  serverKey = installed.json.Response[2].ServerPublicKey.server_public_key
  refused('an installation has no session yet', await send('GET', '/user'), 401)
  refused('a key of nobody is refused', await send('POST', '/device-server', { description: 'd', secret: 'sandbox_x' }))
  const device = await send('POST', '/device-server', { description: 'd', secret: ada.key, permitted_ips: ['*'] })
  holds('a device is registered', Number.isInteger(idOf(device)), device.text)
  const session = await send('POST', '/session-server', { secret: ada.key })
  holds('a session answers its id, a token and its user', namesOf(session) === 'Id,Token,UserPerson', session.text)
  holds('an answer is signed by the key of the bank', isSigned(session))
  token = session.json.Response[1].Token.token as string
  const users = itemsOf(await send('GET', '/user'))
  holds('a session is of its user alone', users.length === 1 && users[0].id === ada.id, users)
  refused("another user's data is not found", await send('GET', `${bram.user}/card`), 404)
  const payment = payTo(bram, '0.10')
  refused('a payment without a signature is refused', await send('POST', `${ada.at}/payment`, payment, ''), 466)
  refused('a payment with a wrong signature is refused', await send('POST', `${ada.at}/payment`, payment, 'AAAA'))
  const paid = await send('POST', `${ada.at}/payment`, payment)
  holds('a signed payment is made, and its answer signed', Number.isInteger(idOf(paid)) && isSigned(paid), paid.text)
  const note = await send('POST', `${ada.at}/payment/${idOf(paid)}/note-text`, { content: 'n' }, '')
  holds('other requests need no signature', Number.isInteger(idOf(note)), note.text)
  const ended = await send('DELETE', '/session/0')
  holds('DELETE /session/0 ends the session', ended.status === 200, ended.text)
  refused('a session that was ended is refused', await send('GET', '/user'), 401)

  token = undefined
  const ask = (path: string) =>
    page(`${url}/banking/v1${path}`, { headers: { 'x-bunq-client-authentication': 'wrong' } })
  const original = await ask('/user')
  holds('who writes X-Bunq- is answered so', original.text.includes('X-Bunq-Client-Authentication'), original.text)
}

/** Statements about callbacks. */
export async function callbacks(calls: BankCalls, ada: Customer, bram: Customer) {
  const { holds, post, refused, get } = calls
  const seen: { url: string | undefined; body: string; signature: string }[] = []
  await using receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    seen.push({ url: request.url, body, signature: String(request.headers['x-vendor-server-signature']) })
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const at = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const filters = (...categories: string[]) =>
    post(`${ada.user}/notification-filter-url`, {
      notification_filters: categories.map((category) => ({ category, notification_target: `${at}/${category}` })),
    })
  const names = ['CARD_TRANSACTION_SUCCESSFUL', 'CARD_TRANSACTION_FAILED', 'SCHEDULE_STATUS', 'SHARE', 'REQUEST']
  const set = await filters('PAYMENT', 'MUTATION', ...names)
  holds('addresses are registered by category', itemsOf(set).length === 7, set.text)
  holds('they are listed', itemsOf(await get(`${ada.user}/notification-filter-url`)).length === 7)
  refused('a category that is none is refused', await filters('JUNK'))
  const id = idOf(await post(`${ada.at}/payment`, payTo(bram, '0.50')))
  const delivered = await until(async () => {
    const both = ['/PAYMENT', '/MUTATION'].map((path) => seen.find(({ url }) => url === path))
    return both.every(Boolean) && both.map((call) => JSON.parse(call?.body ?? '').NotificationUrl)
  })
  const [first, second] = delivered || []
  const isTold = first?.category === 'PAYMENT' && first.event_type === 'PAYMENT_CREATED'
  holds('a payment is told to who asked for PAYMENT', isTold && first.object.Payment.id === id, first)
  holds('a payment is told to who asked for MUTATION', second?.category === 'MUTATION', second)
  const keys = newKeys()
  const { json } = await calls.page(`${calls.url}/banking/v1/installation`, {
    ...{ method: 'POST', json: { client_public_key: keys.publicKey } },
  })
  const key = json.Response[2].ServerPublicKey.server_public_key
  const areSigned = seen.every(({ body, signature }) =>
    verify('sha256', Buffer.from(body), key, Buffer.from(signature, 'base64')),
  )
  holds('a callback is signed by the key of the bank', areSigned && seen.length > 0)
  await filters()
  const event = itemOf(await get(`${ada.user}/event`))
  holds('what happens is an event', event?.object?.Payment?.id === id && event.action === 'CREATE', event)
}
