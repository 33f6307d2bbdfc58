import { parentPort, type Transferable, workerData } from 'node:worker_threads'

/** A worker's message: ready, a result, or an error. */
export type Reply = { readonly ready: true } | { readonly value: unknown } | { readonly error: SentError }

/** An error in serializable form. */
export interface SentError {
  readonly message: string
  readonly stack?: string | undefined
  /** The kind of a `Failure`, which is restored on the other side. */
  readonly kind?: string | undefined
}

type Work<Input> = (input: Input) => unknown

/**
 * Turns a module into a pool worker; the module calls it once. `warm` gets the pool's `argument`, loads everything
 * slow, and returns the function that does the work. Must not import the kernel: every thread would load it.
 */
export async function serve<Input>(warm: (argument: string) => Work<Input> | Promise<Work<Input>>): Promise<void> {
  const parent = parentPort ? threadParent(parentPort) : processParent()
  try {
    const work = await warm(parentPort ? workerData : (process.argv[2] ?? ''))
    parent.receive(async (input) => {
      try {
        const value = await work(input as Input)
        if (value instanceof Moved) parent.send({ value: value.value }, value.memory)
        else parent.send({ value })
      } catch (error) {
        parent.send({ error: sentError(error) })
      }
    })
    parent.send({ ready: true })
  } catch (error) {
    parent.send({ error: sentError(error) })
  }
}

/** A result whose memory is transferred instead of copied, if worker and node share an address space. */
export const moved = (value: unknown, memory: readonly Transferable[]): Moved => new Moved(value, memory)

class Moved {
  readonly value: unknown
  readonly memory: readonly Transferable[]

  constructor(value: unknown, memory: readonly Transferable[]) {
    this.value = value
    this.memory = memory
  }
}

interface Parent {
  send(reply: Reply, memory?: readonly Transferable[]): void
  receive(listener: (input: unknown) => void): void
}

const threadParent = (port: NonNullable<typeof parentPort>): Parent => ({
  send: (reply, memory = []) => port.postMessage(reply, memory),
  receive: (listener) => void port.on('message', listener),
})

function processParent(): Parent {
  process.once('disconnect', () => process.exit()) // the node has died
  return {
    send: (reply) => void process.send?.(reply),
    receive: (listener) => void process.on('message', listener),
  }
}

function sentError(thrown: unknown): SentError {
  const error: Error & { readonly kind?: string } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { message: error.message, stack: error.stack, kind: error.kind }
}
