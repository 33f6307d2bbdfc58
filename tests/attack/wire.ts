import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A raw connection for requests that no HTTP client would send. */
export class Wire {
  readonly #socket: Socket
  #received = ''
  #closed = false
  /** Methods of the pending requests. */
  readonly #asked: string[] = []
  #wake = () => {}

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      this.#received += chunk
      this.#wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#closed = true
      this.#wake()
    })
  }

  static async open(url: string): Promise<Wire> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Wire(socket)
  }

  get isClosed() {
    return this.#closed
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1')
  }

  ask(request: RawRequest): Promise<number> {
    this.#asked.push(request.method)
    this.send(written(request))
    return this.answer()
  }

  /** The status of the next answer; 0 if the connection was closed without one. */
  async answer(): Promise<number> {
    for (;;) {
      const status = this.#take()
      if (status !== undefined) return status
      if (this.#closed) return 0
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  async closed(): Promise<void> {
    // The `once` of node:events would reject on a reset.
    if (!this.#closed) await new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Removes a complete response from the received data, if there is one. Chunked bodies end with a zero-length chunk. */
  #take(): number | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const head = this.#received.slice(0, end).toLowerCase()
    const from = end + 4
    const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1]
    if (this.#asked[0] === 'HEAD') return this.#taken(from, head)
    const isChunked = head.includes('transfer-encoding: chunked')
    const last = isChunked ? this.#received.indexOf('0\r\n\r\n', from) : from + Number(length ?? 0)
    if (last < 0 || last > this.#received.length) return undefined
    return this.#taken(isChunked ? last + 5 : last, head)
  }

  #taken(end: number, head: string): number {
    this.#received = this.#received.slice(end)
    this.#asked.shift()
    return Number(head.slice(9, 12))
  }
}

export interface RawRequest {
  readonly method: string
  readonly target: string
  readonly headers?: readonly string[]
  readonly body?: string
}

export const written = ({ method, target, headers = [], body = '' }: RawRequest) =>
  [`${method} ${target} HTTP/1.1`, ...(headers.some(isHost) ? [] : ['Host: 127.0.0.1']), ...headers, '', body].join(
    '\r\n',
  )

const isHost = (header: string) => /^host:/i.test(header)
