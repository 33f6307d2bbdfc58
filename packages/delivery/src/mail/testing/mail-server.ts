import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate, privateKey } from './certificate.ts'

export interface MailServer extends AsyncDisposable {
  readonly port: number
  /** Received mails, even if not acknowledged. */
  readonly received: { readonly raw: string; readonly isEncrypted: boolean; readonly recipients: string[] }[]
  /** How the next messages are handled: accepted, refused with this status, or dropped. */
  readonly answers: ('accepted' | 'dropped' | number)[]
}

/** A real mail server on this machine. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: MailServer['received'] = []
  const answers: MailServer['answers'] = []
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    cert: certificate,
    key: privateKey,
    onData(stream, { secure, envelope, remotePort }, done) {
      let raw = ''
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        raw += chunk
      })
      stream.on('end', () => {
        const recipients = envelope.rcptTo.map(({ address }) => address)
        received.push({ raw, isEncrypted: secure, recipients })
        const answer = answers.shift() ?? 'accepted'
        if (answer === 'accepted') return done()
        if (typeof answer === 'number') return done(Object.assign(new Error('No'), { responseCode: answer }))
        for (const socket of sockets) if (socket.remotePort === remotePort) socket.destroy()
      })
    },
    ...options,
  })
  server.on('error', () => {}) // clients that disconnect are part of the tests
  const sockets = new Set<import('node:net').Socket>()
  server.server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    answers,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
