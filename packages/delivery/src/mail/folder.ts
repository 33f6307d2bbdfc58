import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A mail of development mode. */
export interface Mail {
  readonly at: Date
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Reads the mails written by `deliverBy` into a folder, latest first. */
export async function readMails(folder: string, max: number): Promise<readonly Mail[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const dated = await Promise.all(
    names.map(async (name) => ({ file: join(folder, name), at: (await stat(join(folder, name))).mtime })),
  )
  const latest = dated.toSorted((a, b) => b.at.getTime() - a.at.getTime()).slice(0, max)
  return Promise.all(latest.map(async ({ file, at }) => ({ at, ...readMail(await readFile(file, 'utf8')) })))
}

function readMail(message: string): Omit<Mail, 'at'> {
  const { headers, body } = divide(message)
  const boundary = /boundary="?([^";\n]+)/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [{ headers, body }] : body.split(`--${boundary}`).slice(1).map(divide)
  const plain = parts.find((part) => part.headers.get('content-type')?.startsWith('text/plain'))
  return {
    to: headers.get('to') ?? '',
    subject: words(headers.get('subject') ?? ''),
    text: plain ? decoded(plain.body, plain.headers.get('content-transfer-encoding')).trim() : '',
  }
}

/** Splits a part into headers, which may be folded, and body. */
function divide(part: string) {
  const text = part.replace(/^\n/, '')
  const end = `${text}\n\n`.indexOf('\n\n')
  const lines = text
    .slice(0, end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = new Map(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*:\s*/, '')]),
  )
  return { headers, body: text.slice(end + 2) }
}

function decoded(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? unquoted(body.replace(/=\n/g, '')) : body
}

const unquoted = (text: string) =>
  text.replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString())

/** Decodes encoded words in a header (RFC 2047): `=?UTF-8?Q?...?=`. */
const words = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
    )
