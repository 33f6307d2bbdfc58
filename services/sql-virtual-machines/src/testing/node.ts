/** A node in its own process, for tests that kill it: it runs machines, but no jobs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startNode } from '@icosa/kernel'
import { createLog } from '@icosa/telemetry'
import { testNode } from '@icosa/testing'
import { type MachinesSettings, sqlVirtualMachines } from '../index.ts'

interface NodeArguments {
  readonly databaseUrl: string
  readonly settings: MachinesSettings
}

/** Returns the process once the node is ready. */
export async function forkNode(args: NodeArguments): Promise<ChildProcess> {
  const child = fork(new URL(import.meta.url), [JSON.stringify(args)])
  const exited = once(child, 'exit').then(() => Promise.reject(new Error('the node exited at its start')))
  await Promise.race([once(child, 'message'), exited])
  return child
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { databaseUrl, settings }: NodeArguments = JSON.parse(process.argv[2] ?? '{}')
  const { worker: _, ...options } = testNode([sqlVirtualMachines(settings)], databaseUrl, settings.folder)
  const node = await startNode({ ...options, log: createLog({ level: 'fatal' }) })
  process.send?.('ready')
  process.once('SIGTERM', () => node.stop().then(() => process.exit()))
  process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
}
