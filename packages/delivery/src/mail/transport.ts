import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure, type Logger, privateFile, privateFolder, type Traces } from '@icosa/kernel'
import type { NodemailerError, SendMailOptions } from 'nodemailer'

/** Through a server, or into a folder for developers. */
export type MailTransport =
  | { readonly kind: 'smtp'; readonly url: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'none' }

export interface Message {
  /** Idempotency key: the same when it is sent again. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: Date
}

/** Hands a message over. Rejects with an `invalid` failure if a retry is pointless. */
export type Deliver = (message: Message, log: Logger) => Promise<void>

export interface MailSettings {
  readonly from: string
  readonly transport: MailTransport
}

/** With traces, each mail is a span with the message's ID, but without its recipient. */
export function deliverBy(settings: MailSettings, traces?: Pick<Traces, 'sending'>): Deliver {
  const deliver = transportBy(settings)
  if (!traces) return deliver
  return (message, log) => traces.sending('mail', { 'messaging.message.id': message.id }, () => deliver(message, log))
}

function transportBy({ from, transport }: MailSettings): Deliver {
  const domain = /^[^\p{Cc}]*@([\w.-]+)>?$/u.exec(from)?.[1]
  if (domain === undefined) throw new Failure('invalid', `Mail cannot come from '${from}': write Name <name@domain>.`)
  // Content is our own; these options ensure that no path or URL in it is ever opened.
  const options = ({ id, to, subject, text, html, date }: Message): SendMailOptions => ({
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    date,
    messageId: `<${id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  if (transport.kind === 'none')
    return async () => {
      throw new Failure('unavailable', 'No mail server is configured: ask the operator to set ICOSA_SMTP_URL.')
    }
  return transport.kind === 'smtp' ? bySmtp(transport.url, options) : intoDirectory(transport.path, options)
}

/** Loaded on first use: most nodes send no mail. */
const mailer = async () => (await import('nodemailer')).default

function once<T>(create: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  return () => {
    value ??= create()
    return value
  }
}

type ToOptions = (message: Message) => SendMailOptions

const timeoutMs = 20_000
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i

function bySmtp(address: string, options: ToOptions): Deliver {
  const url = URL.parse(address)
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Failure('invalid', 'The mail server must be a URL such as smtp://user:password@mail.example.com:587.')
  const secure = url.protocol === 'smtps:'
  const isLocal = loopback.test(url.hostname)
  const auth = { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
  const connect = once(async () =>
    (await mailer()).createTransport({
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (secure ? 465 : 587),
      secure,
      // Links in these mails open accounts: they leave this machine encrypted or not at all.
      requireTLS: !secure && !isLocal,
      tls: { rejectUnauthorized: !isLocal }, // a local relay has no trusted certificate
      ...(auth.user && { auth }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
    }),
  )
  return async (message) => {
    const transporter = await connect()
    await transporter.sendMail(options(message)).catch((error: NodemailerError) => {
      // A refused message, not a failed sign-in, which an operator can fix.
      const isRefusal = error.permanent === true && (error.code === 'EENVELOPE' || error.code === 'EMESSAGE')
      throw isRefusal ? new Failure('invalid', `The mail server refused the mail: ${error.response}`) : error
    })
  }
}

/** For development: one file per mail. Only its name is logged: a link opens an account, and logs are widely read. */
function intoDirectory(path: string, options: ToOptions): Deliver {
  return async (message, log) => {
    const transporter = (await mailer()).createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    const { message: content } = await transporter.sendMail(options(message))
    const file = join(path, `${message.id}.eml`)
    await mkdir(path, privateFolder)
    await writeFile(`${file}.part`, content, privateFile)
    await rename(`${file}.part`, file) // atomic: watchers of the folder never read a partial mail
    log.info({ file }, 'mail written')
  }
}
