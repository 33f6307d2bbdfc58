import type { BufferedRequest, BufferedResponse } from '../../revision.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { Abort } from './abort.ts'
import { type ForwardResult, resultOfError } from './forward.ts'
import { invoke } from './invoke.ts'

const empty = { headers: {}, content: Buffer.alloc(0), isTruncated: false }

/** Sends one request with a body in memory. Returns the response of the function, or the refusal in its place. */
export async function callOnce(
  fleet: Fleet,
  { method = 'POST', path, headers, body }: BufferedRequest,
  id: string,
  maxBytes: number,
): Promise<BufferedResponse> {
  const abort = new Abort()
  let response: BufferedResponse = { status: 0, ...empty }
  const refusal = await invoke(
    fleet,
    id,
    abort,
    ({ pool }) =>
      new Promise<ForwardResult>((resolve) => {
        let isSent = false
        let size = 0
        let chunks: Buffer[] = []
        const stop = () => control?.abort(new Error('aborted'))
        let control: { abort(reason: Error): void } | undefined
        abort.onAbort = stop
        pool.dispatch(
          { path, method, headers: { ...headers, 'function-execution-id': id }, body: hasBody(method) ? body : null },
          {
            onRequestStart(controller) {
              isSent = true
              control = controller
              if (abort.reason !== undefined) stop()
            },
            onResponseStart(_, status, answered) {
              size = 0
              chunks = []
              response = { ...empty, status, headers: answered }
            },
            onResponseData(_, chunk) {
              if (size < maxBytes) chunks.push(chunk.subarray(0, maxBytes - size))
              size += chunk.length
            },
            onResponseEnd() {
              response = { ...response, content: Buffer.concat(chunks), isTruncated: size > maxBytes }
              resolve({ kind: 'answered' })
            },
            onResponseError(_, error) {
              if (abort.reason !== undefined) resolve({ kind: 'aborted' })
              else resolve(isSent ? resultOfError(error) : { kind: 'unsent' })
            },
          },
        )
      }),
  )
  return refusal ? { ...empty, status: refusal.status, content: Buffer.from(refusal.message) } : response
}

const hasBody = (method: string) => method !== 'GET' && method !== 'HEAD'

/** Bytes of the response body that are kept of events. */
const maxEventBytes = 4_096

/** Sends an event. */
export async function invokeOnce(
  fleet: Fleet,
  request: BufferedRequest,
  id: string,
): Promise<{ status: number; body: string }> {
  const { status, content } = await callOnce(fleet, request, id, maxEventBytes)
  return { status, body: content.toString('utf8') }
}
