import type { Fleet } from '../fleet/fleet.ts'
import { Abort } from './abort.ts'
import { type ForwardResult, resultOfError } from './forward.ts'
import { invoke } from './invoke.ts'

export interface BufferedRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Bytes of the response body that are returned. */
const maxBodyBytes = 4_096

/** Sends one request with a body in memory. Returns the response of the function, or the refusal in its place. */
export async function invokeOnce(
  fleet: Fleet,
  { path, headers, body }: BufferedRequest,
  id: string,
): Promise<{ status: number; body: string }> {
  const abort = new Abort()
  let response = { status: 0, body: '' }
  const refusal = await invoke(
    fleet,
    id,
    abort,
    ({ pool }) =>
      new Promise<ForwardResult>((resolve) => {
        let isSent = false
        let content = Buffer.alloc(0)
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
              response = { status, body: '' }
            },
            onResponseData(_, chunk) {
              if (content.length < maxBodyBytes)
                content = Buffer.concat([content, chunk.subarray(0, maxBodyBytes - content.length)])
            },
            onResponseEnd() {
              response = { ...response, body: content.toString('utf8') }
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
  return refusal ? { status: refusal.status, body: refusal.message } : response
}
