/** Thread that sends requests over 16 connections, one at a time on each. */
import { workerData } from 'node:worker_threads'
import { Wire } from './wire.ts'

const { url, requests } = workerData as { readonly url: string; readonly requests: readonly string[] }
let next = 0
await Promise.all(
  Array.from({ length: 16 }, async () => {
    let wire = await Wire.open(url)
    while (next < requests.length) {
      if (wire.isClosed) wire = await Wire.open(url)
      wire.send(requests[next++] as string)
      await wire.answer()
    }
    wire.close()
  }),
)
