import { connect, createServer, type Server, type Socket } from 'node:net'

export interface Target {
  readonly host: string
  readonly port: number
}

/** Proxies connections to the current primary. */
export interface Follower {
  /** Changes the target. Connections to another one are closed: their writes would be lost or rejected. */
  follow(target: Target | undefined): void
  readonly connections: number
  close(): Promise<void>
}

/** How long a connection waits while there is no primary. */
const maxWaitMs = 20_000
/** Further connections are rejected. */
const maxWaiting = 1_000
const pauseMs = 100

const same = (a: Target | undefined, b: Target | undefined) => a?.host === b?.host && a?.port === b?.port

export async function openProxy(port: number, address: string, onError: (error: unknown) => void): Promise<Follower> {
  const pairs = new Set<{ readonly inbound: Socket; readonly target: Target }>()
  const waiting = new Set<Socket>()
  let current: Target | undefined
  let isClosed = false

  function pass(inbound: Socket, since: number): void {
    if (isClosed) inbound.destroy()
    if (inbound.destroyed) return
    const target = current
    if (!target) {
      retryLater(inbound, since)
      return
    }
    const outbound = connect({ ...target, noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 })
    const pair = { inbound, target }
    outbound.once('error', () => {
      // A primary that has just died is not known to be dead yet.
      if (outbound.bytesWritten === 0 && outbound.bytesRead === 0) retryLater(inbound, since)
      else inbound.destroy()
    })
    outbound.once('connect', () => {
      waiting.delete(inbound)
      pairs.add(pair)
      inbound.once('close', () => {
        pairs.delete(pair)
        outbound.destroy()
      })
      outbound.once('close', () => inbound.destroy())
      inbound.pipe(outbound)
      outbound.pipe(inbound)
    })
  }

  function retryLater(inbound: Socket, since: number): void {
    if (inbound.destroyed || performance.now() - since > maxWaitMs || waiting.size > maxWaiting) {
      waiting.delete(inbound)
      inbound.destroy()
      return
    }
    waiting.add(inbound)
    setTimeout(pass, pauseMs, inbound, since).unref()
  }

  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 10_000 }, (inbound) => {
    inbound.on('error', () => inbound.destroy())
    inbound.once('close', () => waiting.delete(inbound))
    pass(inbound, performance.now())
  })
  await listen(server, port, address)
  server.on('error', onError)

  return {
    follow(target) {
      if (same(target, current)) return
      current = target
      for (const pair of pairs) if (!same(pair.target, target)) pair.inbound.destroy()
    },
    get connections() {
      return pairs.size
    },
    async close() {
      isClosed = true
      for (const { inbound } of pairs) inbound.destroy()
      for (const inbound of waiting) inbound.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

/** Open only on the primary's node, for health checks of a load balancer. */
export async function openProbe(port: number, address: string): Promise<{ close(): Promise<void> }> {
  const server = createServer((caller) => caller.on('error', () => {}).end())
  await listen(server, port, address)
  return { close: () => new Promise((done) => server.close(() => done())) }
}

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
