import type { Fleet } from '../fleet.ts'
import { Abort } from './abort.ts'
import { ask } from './ask.ts'
import { outcome, type Sent } from './forward.ts'

export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What is kept of an answer. */
const headBytes = 4_096

/** One request with a body in memory. Answers as a caller would see it, whoever says it. */
export async function askOnce(
  fleet: Fleet,
  { path, headers, body }: Asked,
  id: string,
): Promise<{ status: number; body: string }> {
  const abort = new Abort()
  let answer = { status: 0, body: '' }
  const refusal = await ask(
    fleet,
    id,
    abort,
    ({ pool }) =>
      new Promise<Sent>((resolve) => {
        let isSent = false
        let head = Buffer.alloc(0)
        const stop = () => control?.abort(new Error('aborted'))
        let control: { abort(reason: Error): void } | undefined
        abort.onAbort = stop
        pool.dispatch(
          { path, method: 'POST', headers: { ...headers, 'function-execution-id': id }, body },
          {
            onRequestStart(controller) {
              isSent = true
              control = controller
              if (abort.reason !== undefined) stop()
            },
            onResponseStart(_, status) {
              answer = { status, body: '' }
            },
            onResponseData(_, chunk) {
              if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
            },
            onResponseEnd() {
              answer = { ...answer, body: head.toString('utf8') }
              resolve({ is: 'answered' })
            },
            onResponseError(_, error) {
              if (abort.reason !== undefined) resolve({ is: 'aborted' })
              else resolve(isSent ? outcome(error) : { is: 'unsent' })
            },
          },
        )
      }),
  )
  return refusal ? { status: refusal.status, body: refusal.message } : answer
}
