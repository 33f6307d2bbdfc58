import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '@icosa/testing'
import { readWav } from '../speech/wav.ts'

export interface Softphone extends AsyncDisposable {
  readonly port: number
  /** Recorded audio, the latest call last. */
  recordings(): Promise<Int16Array[]>
}

/** Starts a softphone that answers automatically and records (Debian: apt install baresip-core). */
export async function startSoftphone(number: string): Promise<Softphone> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-softphone-'))
  const records = join(folder, 'records')
  const port = await freePort()
  await mkdir(records)
  const settings = [
    ...['poll_method epoll', 'net_interface 127.0.0.1', `sip_listen 127.0.0.1:${port}`, 'rtp_ports 30000-31000'],
    ...['audio_player aubridge,line', 'audio_source aubridge,line', 'ausrc_srate 8000', 'auplay_srate 8000'],
    ...[`snd_path ${records}`, 'module_path /usr/lib/baresip/modules'],
    ...['module g711.so', 'module sndfile.so', 'module aubridge.so', 'module_tmp account.so', 'module_app menu.so'],
  ]
  await writeFile(join(folder, 'config'), settings.map((line) => `${line}\n`).join(''))
  await writeFile(join(folder, 'accounts'), `<sip:${number}@127.0.0.1>;regint=0;answermode=auto\n`)
  await writeFile(join(folder, 'contacts'), '')
  const child = spawn('baresip', ['-f', folder], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit').catch((cause) => {
    throw new Error('These tests need baresip: apt install baresip-core.', { cause })
  })
  const ready = Promise.withResolvers<void>()
  // Reads all output: a closed pipe would end the process.
  createInterface(child.stdout).on('line', (line) => line.startsWith('baresip is ready') && ready.resolve())
  const exit = await Promise.race([ready.promise, ended])
  if (exit) throw new Error(`The softphone ended immediately (exit ${exit[0]}).`)
  return {
    port,
    async recordings() {
      const names = (await readdir(records)).filter((name) => name.endsWith('-dec.wav')).sort()
      const files = await Promise.all(names.map((name) => readFile(join(records, name))))
      return files.map((file) => readWav(file)?.samples ?? new Int16Array())
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
