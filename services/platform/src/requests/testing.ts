import type { WatchedRequest } from './contract.ts'

export interface OpenStream extends AsyncDisposable {
  readonly response: Response
  readonly requests: WatchedRequest[]
  readonly skipped: number[]
  /** Whether the server ended it. */
  isEnded(): boolean
  /** The raw events. */
  text(): string
}

/** Reads a stream of requests in the background. */
export async function watch(url: string, headers: Record<string, string>, query = ''): Promise<OpenStream> {
  const controller = new AbortController()
  const response = await fetch(`${url}/platform/requests${query}`, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: controller.signal,
  })
  const requests: WatchedRequest[] = []
  const skipped: number[] = []
  let text = ''
  let isEnded = false
  async function read(): Promise<void> {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const events = (rest + chunk).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1] ?? 'null'
        if (event.includes('event: request\n')) requests.push(JSON.parse(data))
        if (event.includes('event: skipped\n')) skipped.push(JSON.parse(data).count)
      }
    }
    isEnded = true
  }
  void read().catch(() => {}) // aborted by the test
  return {
    response,
    requests,
    skipped,
    isEnded: () => isEnded,
    text: () => text,
    [Symbol.asyncDispose]: async () => controller.abort(),
  }
}
