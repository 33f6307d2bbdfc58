import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Transferable, Worker } from 'node:worker_threads'
import type { Reply } from './serve.ts'

/** Why a worker ended unexpectedly. */
export interface End {
  readonly why: 'memory' | 'crash'
  readonly message: string
}

/** A thread or process that runs a module, as the pool sees it. */
export interface Channel {
  send(input: unknown, memory: readonly Transferable[]): void
  /** Keeps the node's process alive while working. */
  ref(): void
  unref(): void
  /** Kills even endless loops and, in a process, native code. */
  kill(): Promise<void>
}

export interface Listener {
  reply(reply: Reply): void
  end(end: End): void
}

export interface ChannelOptions {
  readonly name: string
  readonly module: URL
  /** Passed by `serve` to the module before it is warm. */
  readonly argument: string
  readonly memoryMb: number
}

export function openThread({ name, module, argument, memoryMb }: ChannelOptions, listener: Listener): Channel {
  const thread = new Worker(module, {
    name,
    workerData: argument,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: Math.max(1, memoryMb / 12) },
  })
  thread.on('message', (reply: Reply) => listener.reply(reply))
  thread.on('error', (error: NodeJS.ErrnoException) =>
    listener.end({ why: error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', message: error.message }),
  )
  thread.on('exit', (code) => listener.end({ why: 'crash', message: `exit code ${code}` }))
  return {
    send: (input, memory) => thread.postMessage(input, memory),
    ref: () => thread.ref(),
    unref: () => thread.unref(),
    kill: async () => void (await thread.terminate()),
  }
}

/** Debian's path; without it, a process ends with its node only once it is idle. */
const setpriv = '/usr/bin/setpriv'
const pollMs = 250

export function openProcess({ module, argument, memoryMb }: ChannelOptions, listener: Listener): Channel {
  const run = [process.execPath, `--max-old-space-size=${memoryMb}`, fileURLToPath(module), argument]
  // The kernel kills it with its node, even inside native code.
  const [command = '', ...args] = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', ...run] : run
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
  const watch = watchMemory(child, memoryMb, () => {
    listener.end({ why: 'memory', message: `more than ${memoryMb} MB` })
    child.kill('SIGKILL')
  })
  child.on('message', (reply) => listener.reply(reply as Reply))
  child.on('error', ({ message }) => listener.end({ why: 'crash', message })) // it could not be started or written to
  child.on('exit', (code, signal) => listener.end({ why: 'crash', message: signal ?? `exit code ${code}` }))
  return {
    send: (input) => void child.send(input as object, () => {}), // `exit` reports its end
    ref() {
      watch.start()
      child.ref()
      child.channel?.ref()
    },
    unref() {
      watch.stop()
      child.unref()
      child.channel?.unref()
    },
    async kill() {
      watch.stop()
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      child.ref()
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

/** V8 limits its own heap; native memory is polled while working, if there is a /proc. */
function watchMemory({ pid }: ChildProcess, memoryMb: number, onTooMuch: () => void) {
  let timer: NodeJS.Timeout | undefined
  const poll = async () => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    if (timer && Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024 > memoryMb) onTooMuch()
  }
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  const start = () => {
    timer ??= setInterval(poll, pollMs).unref()
  }
  return { start, stop }
}
