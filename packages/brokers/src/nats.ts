import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Failure } from '@icosa/kernel'
import { converseWith } from './broker.ts'
import type { Message, PublishOptions } from './message.ts'

/**
 * Publishes one message and resolves when the server has handed it to somebody: a subscriber, or a stream that keeps it.
 * A server that nobody listens to says so before it answers our PING, since the message has an address for replies.
 */
export async function publish(broker: string, message: Message, options: PublishOptions): Promise<void> {
  await converseWith(broker, options, (socket, url) => converse(socket, url, message))
}

async function converse(socket: Socket, url: URL, message: Message): Promise<void> {
  for await (const line of linesOf(socket)) {
    const [verb = '', ...words] = line.split(' ')
    switch (verb.toUpperCase()) {
      case 'INFO':
        greet(socket, url, message, JSON.parse(words.join(' ')))
        break
      case 'PING':
        socket.write('PONG\r\n')
        break
      case 'PONG':
        return
      case '-ERR':
        throw new Failure('unavailable', `The broker at ${url.host} refused the message: ${words.join(' ')}.`)
      case 'NATS/1.0': // the headers of a reply
        if (words[0] === '503') unheard(message)
    }
  }
  throw new Failure('unavailable', `The broker at ${url.host} hung up before it had taken the message.`)
}

function greet(socket: Socket, url: URL, message: Message, info: { readonly tls_required?: boolean }): void {
  if (info.tls_required)
    throw new Failure('notImplemented', `The broker at ${url.host} wants TLS, which is built for amqps: only.`)
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  const credentials = password ? { user, pass: password } : user ? { auth_token: user } : {}
  const options = { verbose: false, pedantic: false, headers: true, no_responders: true, lang: 'node', version: '1' }
  const inbox = `_INBOX.${randomUUID()}`
  // By this name a stream knows a message that it has already.
  const named = { ...message.headers, 'Nats-Msg-Id': message.id }
  const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`)
  const headers = Buffer.from(`NATS/1.0\r\n${lines.join('')}\r\n`)
  const payload = Buffer.from(message.payload)
  socket.write(`CONNECT ${JSON.stringify({ ...options, ...credentials })}\r\nSUB ${inbox} 1\r\n`)
  socket.write(`HPUB ${message.subject} ${inbox} ${headers.length} ${headers.length + payload.length}\r\n`)
  socket.write(Buffer.concat([headers, payload, Buffer.from('\r\nPING\r\n')]))
}

function unheard({ subject }: Message): never {
  throw new Failure(
    'unavailable',
    `Nobody takes messages on ${subject}: make a stream for it, so that they are kept, or subscribe to it.`,
  )
}

/** What the server says, line by line. Of a stream's receipt the text comes as a line, too, and means nothing here. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of socket) {
    const lines = (rest + chunk.toString('latin1')).split('\r\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
