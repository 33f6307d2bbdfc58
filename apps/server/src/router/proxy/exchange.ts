import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { refuseAmbiguity } from '@icosa/kernel'
import { namedBy } from '../../tenants/named.ts'
import type { RoutingRule } from '../../tenants/routing.ts'
import type { FollowedTable } from '../follow.ts'
import type { RoutedCell } from '../table/table.ts'
import { noBody, type RelayedBody, relayBody } from './body.ts'
import type { Answer, Forwarder } from './forward.ts'
import { hasBody, originOf, refuseCodings, requestHeaders, responseHeaders } from './headers.ts'
import type { CellFinder } from './hold.ts'
import { Refusal, refuse } from './refusal.ts'

/** May be sent twice. */
const safeMethods = /^(?:GET|HEAD|OPTIONS)$/

/** How long a connection may go on sending the body of an answered request. */
const unreadBodyMs = 2_000

export interface ExchangeOptions {
  readonly rules: readonly RoutingRule[]
  readonly followed: FollowedTable
  readonly finder: CellFinder
  readonly forwarder: Forwarder
  readonly trustedProxies: number
  readonly onAnswer?: (cell: string, status: number) => void
}

/** Sends a request to its tenant's cell, and the response back. */
export async function exchange(options: ExchangeOptions, request: IncomingMessage, response: ServerResponse) {
  const body = hasBody(request) ? relayBody(request) : noBody
  const abort = new AbortController()
  response.once('close', () => response.writableFinished || abort.abort())
  try {
    const { response: answer } = await answerOf(options, request, body, abort.signal, () => response.writeContinue())
    relay(answer, response)
    response.once('finish', () => leaveUnread(request, abort))
  } catch (error) {
    if (abort.signal.aborted) return
    response.once('finish', () => leaveUnread(request, abort))
    refuse(response, error)
  }
}

/** The same for a connection that is to change its protocol. */
export async function upgrade(options: ExchangeOptions, request: IncomingMessage, client: Socket, head: Buffer) {
  const abort = new AbortController()
  client.on('error', () => client.destroy())
  client.once('close', () => abort.abort())
  const plain = () => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(client)
    response.once('finish', () => client.destroySoon())
    return response
  }
  try {
    const { response, upgraded } = await answerOf(options, request, noBody, abort.signal, () => {})
    if (upgraded) join(client, head, response, upgraded)
    else relay(response, plain())
  } catch (error) {
    if (!abort.signal.aborted) refuse(plain(), error)
  }
}

async function answerOf(
  { rules, followed, finder, forwarder, trustedProxies, onAnswer }: ExchangeOptions,
  request: IncomingMessage,
  body: RelayedBody,
  signal: AbortSignal,
  onContinue: () => void,
): Promise<Answer> {
  refuseAmbiguity(request)
  refuseCodings(request)
  const { method = 'GET', url: path = '/' } = request
  const { host } = originOf(request, trustedProxies)
  const named = namedBy(rules, { host, target: path, headers: request.headers as Record<string, string | undefined> })
  const send = async (cell: RoutedCell | undefined) => {
    if (!cell) throw await reasonOf(followed)
    const headers = requestHeaders(request, trustedProxies, cell)
    const sendOnce = () => forwarder.send(cell, { method, path, headers, signal, onContinue, sendBody: body.sendTo })
    const answer = await sendOnce().catch((error: unknown) => {
      const mayRepeat = error instanceof Refusal && error.isStale && safeMethods.test(method) && body === noBody
      return mayRepeat && !signal.aborted ? sendOnce() : Promise.reject(error)
    })
    onAnswer?.(cell.name, answer.response.statusCode ?? 0)
    return answer
  }
  const first = await finder.find(named, signal)
  const answer = await send(first)
  const moved = movedTo(answer)
  if (moved === undefined) {
    body.release()
    return answer
  }
  answer.response.resume()
  await followed.refresh()
  const known = await finder.find(named, signal)
  if (!known) throw await reasonOf(followed)
  // Without the directory, the former cell knows better. It may be wrong if the tenant has moved on since.
  const cell = known.name === first?.name ? followed.table.cell(moved) : known
  if (!cell || !body.canReplay()) throw hasMoved()
  const second = await send(cell)
  if (movedTo(second) === undefined) return second
  second.response.resume()
  throw hasMoved() // where to is not for clients
}

const hasMoved = () => new Refusal(503, 'The tenant has moved to another cell. Send the request again.')

/** Cell that has the tenant now, if the answering cell says so. */
const movedTo = ({ response: { statusCode, headers } }: Answer): string | undefined =>
  statusCode === 421 ? (headers['icosa-cell'] as string | undefined) : undefined

async function reasonOf({ table }: FollowedTable): Promise<Refusal> {
  if (!table.home) return new Refusal(503, 'The directory names no home cell: run `icosa cells add` with --home.')
  return new Refusal(503, 'The tenant is moving to another cell. Send the request again.')
}

function relay(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, responseHeaders(answer))
  setImmediate(() => response.writableEnded || response.flushHeaders()) // with the first part of the body, if it is there
  answer.once('error', () => response.destroy())
  answer.pipe(response)
}

/** After an early response, the rest of the body is of no use. */
function leaveUnread(request: IncomingMessage, abort: AbortController): void {
  if (request.complete) return
  abort.abort()
  request.resume()
  const timer = setTimeout(() => request.complete || request.destroy(), unreadBodyMs)
  request.once('close', () => clearTimeout(timer))
}

function join(client: Socket, clientHead: Buffer, response: IncomingMessage, upgraded: Required<Answer>['upgraded']) {
  const { socket, head } = upgraded
  const fields = [...responseHeaders(response), 'Connection', 'Upgrade', 'Upgrade', String(response.headers.upgrade)]
  const lines = fields.flatMap((field, index) => (index % 2 === 0 ? [`${field}: ${fields[index + 1]}\r\n`] : []))
  client.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1')
  client.write(head)
  socket.write(clientHead)
  for (const [from, to] of [
    [client, socket],
    [socket, client],
  ] as const) {
    from.on('error', () => to.destroy())
    from.once('close', () => to.destroy())
    from.pipe(to)
  }
}
