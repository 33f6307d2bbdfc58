import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VoiceSettings } from '../settings.ts'

/** Starts workers in separate processes, which a test can kill. */
export async function startWorkers(databaseUrl: string, settings: Partial<VoiceSettings>) {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-killed-'))
  const workers: ChildProcess[] = []
  return {
    async start(): Promise<ChildProcess> {
      const args = [databaseUrl, folder, JSON.stringify(settings)]
      const worker = fork(new URL('./worker.ts', import.meta.url), args)
      workers.push(worker)
      await once(worker, 'message')
      return worker
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) worker.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
