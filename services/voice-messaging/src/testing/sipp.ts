import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@icosa/testing'

/** Steps of a phone in a call, for SIPp (Debian: apt install sip-tester). */
export const receive = (request: string, actions = '') =>
  `<recv request="${request}"${actions ? '' : ' crlf="true"'}>${actions}</recv>`
export const wait = (ms: number) => `<pause milliseconds="${ms}"/>`

interface ResponseOptions {
  readonly headers?: readonly string[]
  /** RTP port of the phone. */
  readonly mediaPort?: number
  readonly payloadTypes?: string
  /** Milliseconds between retransmissions, until it is acknowledged. */
  readonly retransmitMs?: number
  readonly sequence?: string
}

export function respond(
  status: number,
  reason: string,
  { headers = [], mediaPort, payloadTypes = '0', retransmitMs, sequence }: ResponseOptions = {},
) {
  const lines = [
    `SIP/2.0 ${status} ${reason}`,
    ...['[last_Via:]', '[last_From:]', `[last_To:]${status === 100 ? '' : ';tag=[call_number]tag'}`, '[last_Call-ID:]'],
    sequence ?? '[last_CSeq:]',
    'Contact: <sip:phone@[local_ip]:[local_port]>',
    ...headers,
  ]
  return message(lines, mediaPort === undefined ? [] : sdp(mediaPort, payloadTypes), retransmitMs)
}

/** Saves the addresses of both sides for a BYE. */
export const saveAddresses = `<action>
  <ereg regexp=".*" search_in="hdr" header="To:" assign_to="callee"/>
  <ereg regexp=".*" search_in="hdr" header="From:" assign_to="from"/>
  <assignstr assign_to="to" value="[$callee];tag=[call_number]tag"/>
</action>`

/** The callee hangs up. */
export const hangUp = () =>
  message(
    [
      'BYE sip:icosa@[remote_ip]:[remote_port] SIP/2.0',
      'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
      'From: [$to]',
      'To: [$from]',
      '[last_Call-ID:]',
      'CSeq: 1 BYE',
      'Max-Forwards: 70',
    ],
    [],
    500,
  )

const sdp = (port: number, payloadTypes: string) => [
  ...[
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    'c=IN IP4 127.0.0.1',
    't=0 0',
    `m=audio ${port} RTP/AVP ${payloadTypes}`,
  ],
]

function message(lines: readonly string[], body: readonly string[], retransmitMs?: number): string {
  const type = body.length > 0 ? ['Content-Type: application/sdp'] : []
  const text = [...lines, ...type, 'Content-Length: [len]', '', ...body, ''].join('\n')
  return `<send${retransmitMs ? ` retrans="${retransmitMs}"` : ''}><![CDATA[\n${text}\n]]></send>`
}

/** A phone that rings until the caller cancels. */
export const ringsUntilCancelled = [
  receive('INVITE'),
  respond(180, 'Ringing'),
  receive('CANCEL'),
  respond(200, 'OK'),
  respond(487, 'Request Terminated', { retransmitMs: 500, sequence: 'CSeq: 1 INVITE' }),
  receive('ACK'),
]

export interface Phone extends AsyncDisposable {
  readonly port: number
  /** Rejects if a call did not follow the steps. */
  readonly ended: Promise<void>
}

/** Starts a phone that answers calls by the steps. */
export async function startPhone(steps: readonly string[], calls = 1, more: readonly string[] = []): Promise<Phone> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-phone-'))
  const port = await freePort()
  await writeFile(
    join(folder, 'steps.xml'),
    `<?xml version="1.0"?>\n<scenario name="phone">\n${steps.join('\n')}\n</scenario>`,
  )
  const options = ['-sf', 'steps.xml', '-i', '127.0.0.1', '-p', String(port), '-m', String(calls), '-nostdin']
  const guards = ['-timeout', '60s', '-timeout_error', '-trace_err', '-error_file', 'errors.log', '-trace_msg']
  const child = spawn('sipp', [...options, ...guards, ...more], { cwd: folder, stdio: 'ignore' })
  const ended = ending(child, folder)
  ended.catch(() => {}) // reported to those who await it
  await listening(port)
  return {
    port,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function ending(child: ChildProcess, folder: string): Promise<void> {
  const [code] = await Promise.race([
    once(child, 'exit'),
    once(child, 'error').then(([error]) => {
      throw new Error('These tests need SIPp: apt install sip-tester.', { cause: error })
    }),
  ])
  if (code === 0) return
  const logs = (await readdir(folder).catch(() => [])).filter((name) => /\.log$/.test(name))
  const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')))
  throw new Error(`The phone exited with ${code}:\n${texts.join('\n').slice(-6_000)}`)
}

/** Waits until the phone has bound its port, by /proc: binding it here could take it away. */
async function listening(port: number): Promise<void> {
  const entry = `:${port.toString(16).toUpperCase().padStart(4, '0')} `
  for (let tries = 0; tries < 1_000; tries++) {
    if ((await readFile('/proc/net/udp', 'utf8')).includes(entry)) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('The phone did not start.')
}
