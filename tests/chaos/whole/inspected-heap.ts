import { once } from 'node:events'

/** Runs a garbage collection through a process's inspector and returns the heap bytes still in use. */
export async function inspectedHeap(port: number): Promise<number> {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '')
  await once(socket, 'open')
  let id = 0
  const ask = async (method: string) => {
    socket.send(JSON.stringify({ id: ++id, method }))
    for (;;) {
      const [{ data }] = await once(socket, 'message')
      const answer = JSON.parse(data)
      if (answer.id === id) return answer.result
    }
  }
  try {
    await ask('HeapProfiler.enable')
    await ask('HeapProfiler.collectGarbage')
    return (await ask('Runtime.getHeapUsage')).usedSize
  } finally {
    socket.close()
  }
}
