/** Calls of a thread pool and a process pool, compared with a bare thread: the first one, sequential ones, concurrent ones. */
import { Worker } from 'node:worker_threads'
import { openPool } from '@icosa/compute'
import { latencyOf } from '@icosa/testing'
import { type Figure, latencies, record } from '../figures.ts'

const calls = 5_000
const concurrency = 64
const text = 'x'.repeat(600)

interface Way {
  call(): Promise<unknown>
  close(): Promise<unknown>
}

function bare(): Way {
  const thread = new Worker(new URL('./bare-thread.ts', import.meta.url))
  const waiting: (() => void)[] = []
  thread.on('message', () => waiting.shift()?.())
  return {
    call() {
      const answered = new Promise<void>((resolve) => waiting.push(resolve))
      thread.postMessage(text)
      return answered
    },
    close: () => thread.terminate(),
  }
}

function pooled(as: 'threads' | 'processes'): Way {
  const module = new URL('./echo-thread.ts', import.meta.url)
  const pool = openPool<string, string>({ name: 'bench', module, as })
  return { call: () => pool.run('bench', text), close: () => pool.close() }
}

async function measure(name: string, open: () => Way): Promise<Figure[]> {
  const began = performance.now()
  const { call, close } = open()
  await call()
  const first = performance.now() - began
  await latencyOf(500, async () => void (await call()))
  const latency = await latencyOf(calls, async () => void (await call()))
  const many = performance.now()
  for (let done = 0; done < calls; done += concurrency) await Promise.all(Array.from({ length: concurrency }, call))
  const perSecond = (calls / (performance.now() - many)) * 1000
  await close()
  return [
    ...latencies(`${name}, call`, latency),
    { name: `${name}, first answer`, value: first, unit: 'ms' },
    { name: `${name}, ${concurrency} calls at once`, value: perSecond, unit: '/s' },
  ]
}

record([
  ...(await measure('bare thread', bare)),
  ...(await measure('pool of threads', () => pooled('threads'))),
  ...(await measure('pool of processes', () => pooled('processes'))),
])
